package io.manafold.gdma;

import static io.manafold.gdma.Vectors.hex;
import static io.manafold.gdma.Vectors.words;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Words as a running driver and a device that it accepts have written them. */
class LayoutTest {
    private static final String ESTABLISH =
            "f52600000000222700000000f42600000000112700000000" + "0000" + "0000" + "01000000";

    @Test
    void establish() {
        SharedMemory.Establish asked = new SharedMemory.Establish(0x26f5000, 0x2722000, 0x26f4000, 0x2711000, 0);
        assertThat(hex(asked.encode())).isEqualTo(ESTABLISH);
        assertThat(SharedMemory.Establish.decode(words(ESTABLISH))).isEqualTo(asked);
        assertThat(hex(SharedMemory.response(SharedMemory.ESTABLISH, SharedMemory.STATUS_OK))).isEqualTo("81000000");
        assertThat(hex(SharedMemory.request(SharedMemory.DESTROY))).isEqualTo("02000000");
        assertThat(hex(SharedMemory.response(SharedMemory.DESTROY, SharedMemory.STATUS_OK))).isEqualTo("82000000");
    }

    @Test
    void establishHasAddressesOf64Bits() {
        Random random = new Random(11);
        for (int i = 0; i < 1000; i++) {
            SharedMemory.Establish asked = new SharedMemory.Establish(random.nextLong() & -4096,
                    random.nextLong() & -4096, random.nextLong() & -4096, random.nextLong() & -4096,
                    random.nextInt(65536));
            assertThat(SharedMemory.Establish.decode(asked.encode())).isEqualTo(asked);
        }
    }

    @Test
    void headerOfTheSharedMemoryChannel() {
        int header = SharedMemory.response(SharedMemory.DESTROY, 7) | SharedMemory.DEVICE_OWNS;
        assertThat(SharedMemory.deviceOwns(header)).isTrue();
        assertThat(SharedMemory.isResponse(header)).isTrue();
        assertThat(SharedMemory.status(header)).isEqualTo(7);
        assertThat(SharedMemory.type(header)).isEqualTo(SharedMemory.DESTROY);
        assertThat(SharedMemory.version(0b101_001)).isEqualTo(5);
    }

    @ParameterizedTest
    @CsvSource({
        "129, 00000300, 81000020", "130, 01000001, 82000020", "130, d0070002, 82000020", "130, d1070003, 82000020",
        "130, 01000004, 82000020", "130, 00100005, 82000020", "130, 00100006, 82000020", "130, 00040007, 82000020",
        "130, 07000008, 82000020", "130, 23010009, 82000020", "131, 00000000, 83000020", "3, 01000000, 03000020",
        "64, 00000000, 40000020", "3, 10000000, 03000020", "3, 11000000, 03000020"})
    void events(int type, String data, String last) {
        int slots = 256;
        assertThat(hex(EventEntry.last(type, slots, slots))).isEqualTo(last);
        int word = words(last)[0];
        assertThat(EventEntry.type(word)).isEqualTo(type);
        assertThat(OwnerBits.isNew(word, slots, slots)).isTrue();
        int first = words(data)[0];
        switch (type) {
            case EventEntry.CHANNEL_DOORBELL -> assertThat(hex(EventEntry.channelDoorbell(
                    EventEntry.channelEventQueue(first), EventEntry.channelPage(first)))).isEqualTo(data);
            case EventEntry.CHANNEL_DATA -> assertThat(hex(EventEntry.typed(EventEntry.dataType(first),
                    EventEntry.dataValue(first)))).isEqualTo(data);
            default -> assertThat(EventEntry.completionQueue(first)).isEqualTo(first);
        }
    }

    @Test
    void eventData() {
        assertThat(EventEntry.channelPage(words("00000300")[0])).isEqualTo(3);
        assertThat(EventEntry.dataType(words("d1070003")[0])).isEqualTo(ChannelInit.SEND_QUEUE);
        assertThat(EventEntry.dataValue(words("d1070003")[0])).isEqualTo(0x7d1);
        assertThat(EventEntry.serviceType(EventEntry.service(EventEntry.SERVICE_RESUME, 5))).isEqualTo(2);
        assertThat(EventEntry.serviceValue(EventEntry.service(EventEntry.SERVICE_RESUME, 5))).isEqualTo(5);
    }

    @Test
    void doorbells() {
        assertThat(Doorbell.event(0, 256 + 5, true)).isEqualTo(0x8000010500000000L);
        assertThat(Doorbell.event(0, 0x10b, true)).isEqualTo(0x8000010b00000000L);
        assertThat(Doorbell.work(0x7d0, 0x20)).isEqualTo(0x00000020000007d0L);
        assertThat(Doorbell.work(0x7d1, 0x40)).isEqualTo(0x00000040000007d1L);
        assertThat(Doorbell.completion(1, 0x42, true)).isEqualTo(0x8000004200000001L);
        long word = 0x8000004200000001L;
        assertThat(Doorbell.arms(word)).isTrue();
        assertThat(Doorbell.queue(word)).isEqualTo(1);
        assertThat(Doorbell.consumerIndex(word)).isEqualTo(0x42);
        assertThat(Doorbell.producedBytes(Doorbell.work(5, -32))).isEqualTo(-32);
        assertThat(Doorbell.arms(Doorbell.completion(5, -1, false))).isFalse();
        long moderation = Doorbell.moderation(0x123, 1023, 255);
        assertThat(moderation).isEqualTo(0x80ff83ff00000123L);
        assertThat(Doorbell.queue(moderation)).isEqualTo(0x123);
        assertThat(Doorbell.moderationMicros(moderation)).isEqualTo(1023);
        assertThat(Doorbell.moderationFrames(moderation)).isEqualTo(255);
        assertThat(Doorbell.moderationMicros(0x80ff03ff00000123L)).isEqualTo(-1);
        assertThat(Doorbell.moderationFrames(0x00ff83ff00000123L)).isEqualTo(-1);
        assertThat(Doorbell.workRequestCount(0xff00_0007L)).isEqualTo(255);
        assertThat(Doorbell.eventQueue(0xfff_1234L)).isEqualTo(0x1234);
    }

    @Test
    void ownerBitsCountLaps() {
        int slots = 4;
        for (int i = 0; i < 100; i++) {
            int index = OwnerBits.wrap(slots + i, slots);
            assertThat(OwnerBits.of(index, slots)).isEqualTo((i / slots + 1) % 8);
            assertThat(OwnerBits.slot(index, slots)).isEqualTo(i % slots);
            int stamped = OwnerBits.stamp(0xffff_ffff, index, slots);
            assertThat(OwnerBits.isNew(stamped, index, slots)).isTrue();
            assertThat(OwnerBits.isOld(stamped, index + slots, slots)).isTrue();
            assertThat(OwnerBits.isNew(stamped, index + slots, slots)).isFalse();
            assertThat(stamped | ~OwnerBits.REST).isEqualTo(-1);
        }
        assertThat(OwnerBits.isOld(0, slots, slots)).isTrue();
        assertThat(OwnerBits.distance(30, 2, slots)).isEqualTo(4);
    }

    @ParameterizedTest
    @CsvSource({
        // pieces, long form, segmented, segment, header bytes, flags, transport, tag, vPort offset | words
        "1, false, 0, 0, 0x00, 0, -1, 0, 00000000 01020000 00100000 00040000",
        "1, false, 0, 0, 0x24, 34, -1, 0, 00000000 01020000 24100000 22040000",
        "1, false, 0, 0, 0x28, 54, -1, 0, 00000000 01020000 28100000 36040000",
        "1, false, 0, 0, 0x44, 0, -1, 0, 00000000 01020000 44100000 00040000",
        "1, false, 0, 0, 0x48, 0, -1, 0, 00000000 01020000 48100000 00040000",
        "2, false, 1448, 66, 0x34, 34, -1, 0, 00000042 020aa805 34100000 22040000",
        "2, false, 1428, 86, 0x38, 54, -1, 0, 00000056 020a9405 38100000 36040000",
        "1, true, 0, 0, 0x00, 0, 100, 0, 00000000 01060000 01100000 00040000 08004006 00000000 00000000 00000000",
        "2, true, 1448, 66, 0x34, 34, 100, 0, 00000042 020ea805 35100000 22040000 08004006 00000000 00000000 00000000",
        "1, true, 0, 0, 0x00, 0, -1, 300, 00000000 01060000 01100000 00040000 00000000 00002c01 00000000 00000000"})
    void sendRequests(int pieces, boolean wide, int segment, int headerBytes, int flags, int transport, int tag,
            int vportOffset, String expected) {
        int word0 = WorkRequest.word0(headerBytes);
        int inline = wide ? WorkRequest.INLINE_LONG : WorkRequest.INLINE_SHORT;
        int word1 = WorkRequest.word1(pieces, inline, headerBytes > 0, segment);
        int first = SendRequest.flags(flags | (wide ? SendRequest.LONG_FORM : 0), 0x10);
        int second = SendRequest.place(transport, 0x400, vportOffset);
        int third = tag < 0 ? 0 : SendRequest.tag(tag);
        int fourth = SendRequest.wide(vportOffset);
        String all = wide ? hex(word0, word1, first, second, third, fourth, 0, 0) : hex(word0, word1, first, second);
        assertThat(all).isEqualTo(expected.replace(" ", ""));

        int[] words = words(expected.replace(" ", ""));
        assertThat(WorkRequest.headerBytes(words[0])).isEqualTo(headerBytes);
        assertThat(WorkRequest.pieces(words[1])).isEqualTo(pieces);
        assertThat(WorkRequest.isInlineValid(words[1])).isTrue();
        assertThat(WorkRequest.inlineBytes(words[1])).isEqualTo(inline);
        assertThat(WorkRequest.isSegmented(words[1])).isEqualTo(headerBytes > 0);
        assertThat(WorkRequest.segment(words[1])).isEqualTo(segment);
        assertThat(WorkRequest.firstPiece(words[1])).isEqualTo(8 + inline);
        assertThat(SendRequest.format(words[2])).isEqualTo(wide ? 1 : 0);
        assertThat(SendRequest.completionQueue(words[2])).isEqualTo(0x10);
        assertThat(words[2] & 0xfc).isEqualTo(flags);
        assertThat(SendRequest.transportOffset(words[3])).isEqualTo(transport);
        assertThat(SendRequest.namesQueue(words[3], 0x400)).isTrue();
        assertThat(SendRequest.namesQueue(words[3], 0x800)).isFalse();
        if (wide) {
            assertThat(SendRequest.injectsTag(words[4])).isEqualTo(tag >= 0);
            assertThat(SendRequest.tagOf(words[4])).isEqualTo(Math.max(tag, 0));
            assertThat(SendRequest.wideVportOffset(words[5])).isEqualTo(vportOffset);
        }
    }

    @Test
    void tagsGoThroughWhole() {
        for (int tag = 0; tag < 65536; tag += 7) {
            assertThat(SendRequest.tagOf(SendRequest.tag(tag))).isEqualTo(tag);
        }
    }

    @Test
    void sizesOfRequests() {
        assertThat(WorkRequest.size(1, 8)).isEqualTo(32);
        assertThat(ChannelRequest.SIZE).isEqualTo(64);
        assertThat(WorkRequest.size(2, 8)).isEqualTo(64);
        assertThat(WorkRequest.size(2, 24)).isEqualTo(64);
        assertThat(WorkRequest.size(WorkRequest.MAX_SEND_PIECES, 24)).isEqualTo(WorkRequest.MAX_SEND);
        assertThat(WorkRequest.size(WorkRequest.MAX_RECEIVE_PIECES, 8)).isEqualTo(WorkRequest.MAX_RECEIVE);
        assertThat(hex(0, WorkRequest.word1(1, 24, false, 0))).isEqualTo("0000000001060000");
    }

    @Test
    void completions() {
        int slots = 64;
        assertThat(hex(CompletionEntry.last(0x7d1, true, slots, slots))).isEqualTo("d1070021");
        assertThat(hex(CompletionEntry.last(0x7d0, false, slots, slots))).isEqualTo("d0070020");
        assertThat(hex(CompletionEntry.first(SendCompletion.OK, 0))).isEqualTo("60000000");
        assertThat(hex(CompletionEntry.last(0x400, true, slots, slots))).isEqualTo("00040021");
        assertThat(hex(CompletionEntry.first(ReceiveCompletion.OK, 0))).isEqualTo("41000000");
        assertThat(hex(CompletionEntry.first(ReceiveCompletion.FENCE, 0))).isEqualTo("43000000");
        assertThat(hex(CompletionEntry.first(ReceiveCompletion.COALESCED, 0))).isEqualTo("42000000");
        assertThat(hex(CompletionEntry.first(ReceiveCompletion.COALESCED_8, 0))).isEqualTo("47000000");
        assertThat(IntStream.range(0, ReceiveCompletion.MOST_PACKETS).map(ReceiveCompletion::pairedHashAt))
                .containsExactly(8, 16, 20, 28, 32, 40, 44, 52);
        assertThat(IntStream.range(0, ReceiveCompletion.MOST_PACKETS).map(ReceiveCompletion::pairedLengthAt))
                .containsExactly(12, 14, 24, 26, 36, 38, 48, 50);
        assertThat(hex(CompletionEntry.first(ReceiveCompletion.TRUNCATED, 0))).isEqualTo("44000000");
        assertThat(hex(CompletionEntry.last(1, false, slots, slots))).isEqualTo("01000020");
        assertThat(hex(ChannelCompletion.RECEIVED | ChannelCompletion.START_OF_MESSAGE
                | ChannelCompletion.END_OF_MESSAGE)).isEqualTo("c1000000");
        int last = words("00040021")[0];
        assertThat(CompletionEntry.workQueue(last)).isEqualTo(0x400);
        assertThat(CompletionEntry.isSendSide(last)).isTrue();
        int first = words("60000000")[0];
        assertThat(CompletionEntry.type(first)).isEqualTo(SendCompletion.OK);
        assertThat(CompletionEntry.client(first)).isEqualTo(1);
        assertThat(CompletionEntry.vendorError(CompletionEntry.first(33, 0x1234))).isEqualTo(0x1234);
    }

    @Test
    void receiveFlags() {
        int flags = ReceiveCompletion.tagged(ReceiveCompletion.flags(ReceiveCompletion.IP_GOOD
                | ReceiveCompletion.TCP_GOOD, HashType.TCP_IPV6_EXTENSIONS), 0xf064);
        assertThat(ReceiveCompletion.vlan(flags)).isEqualTo(0x064);
        assertThat(flags & ReceiveCompletion.TAGGED).isNotZero();
        assertThat(ReceiveCompletion.hashType(flags)).isEqualTo(HashType.TCP_IPV6_EXTENSIONS);
        assertThat(HashType.hasPorts(ReceiveCompletion.hashType(flags))).isTrue();
        assertThat(ReceiveCompletion.isChecked(flags)).isTrue();
        assertThat(ReceiveCompletion.isChecked(flags & ~ReceiveCompletion.IP_GOOD)).isFalse();
        assertThat(ReceiveCompletion.lengthAt(3)).isEqualTo(0x2c);
        assertThat(ReceiveCompletion.hashAt(3)).isEqualTo(0x34);
    }

    @Test
    void everyCommandHasOneCodeAndOneName() {
        for (Command command : Command.values()) {
            assertThat(Command.of(command.code())).isSameAs(command);
            assertThat(Command.named(command.label())).isSameAs(command);
        }
        assertThat(Command.label(0x20003)).isEqualTo("configure-vport-tx");
        assertThat(Command.label(0x20009)).isEqualTo("command 0x20009");
        assertThat(Feature.DRIVER).isEqualTo(0x127e686d);
    }
}
