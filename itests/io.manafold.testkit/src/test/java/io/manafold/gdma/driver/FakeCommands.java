package io.manafold.gdma.driver;

import io.manafold.api.net.MacAddress;
import io.manafold.gdma.Command;
import io.manafold.gdma.CompletionEntry;
import io.manafold.gdma.DeviceId;
import io.manafold.gdma.Doorbell;
import io.manafold.gdma.EventEntry;
import io.manafold.gdma.Feature;
import io.manafold.gdma.QueueType;
import io.manafold.gdma.ReceiveCompletion;
import io.manafold.gdma.SendCompletion;
import io.manafold.gdma.SendRequest;
import io.manafold.gdma.Status;
import io.manafold.gdma.WorkRequest;
import io.manafold.gdma.message.AddDmaRegionPages;
import io.manafold.gdma.message.ConfigureVportRx;
import io.manafold.gdma.message.ConfigureVportTx;
import io.manafold.gdma.message.CreateDmaRegion;
import io.manafold.gdma.message.CreateQueue;
import io.manafold.gdma.message.CreateWqObject;
import io.manafold.gdma.message.DestroyWqObject;
import io.manafold.gdma.message.DisableQueue;
import io.manafold.gdma.message.FenceRq;
import io.manafold.gdma.message.GenerateTestEvent;
import io.manafold.gdma.message.ListDevices;
import io.manafold.gdma.message.Message;
import io.manafold.gdma.message.QueryChannelTimeout;
import io.manafold.gdma.message.QueryDeviceConfig;
import io.manafold.gdma.message.QueryMaxResources;
import io.manafold.gdma.message.QueryVportConfig;
import io.manafold.gdma.message.RegisterDevice;
import io.manafold.gdma.message.RequestHead;
import io.manafold.gdma.message.Requests;
import io.manafold.gdma.message.Response;
import io.manafold.gdma.message.VerifyVersion;
import io.manafold.memory.RawMemory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Commands of the fake device and its one port, whose frames come back: to the queue that their byte 14 chooses. */
final class FakeCommands {
    static final MacAddress MAC = MacAddress.parse("00:0d:3a:00:00:01");
    static final int VPORT_OFFSET = 300;

    /** Regions whose page lists are complete or under way. */
    final Map<Long, List<Long>> regions = new HashMap<>();
    final Map<Integer, FakeQueues.Events> events = new HashMap<>();
    final Map<Long, FakeQueues.Work> objects = new HashMap<>();
    int refuse;
    Command refused;
    boolean wrongActivity;
    boolean coalesce;
    int[] lastSend = {};
    private final FakeFunction function;
    private final Map<Long, Integer> wanted = new HashMap<>();
    private ConfigureVportRx steering;
    private long next = 0x5000;

    FakeCommands(FakeFunction function) {
        this.function = function;
    }

    Message answer(Message request) {
        RequestHead head = RequestHead.decode(request);
        Command command = Command.of(head.command());
        int status = command == refused ? refuse : Status.SUCCESS;
        Response body = status != Status.SUCCESS ? null : switch (Requests.decode(command, request)) {
            case VerifyVersion _ -> new VerifyVersion.Result(1, Feature.CHANNEL_TIMEOUT, 0, 0, 0);
            case QueryChannelTimeout _ -> new QueryChannelTimeout.Result(5000);
            case ListDevices _ -> new ListDevices.Result(List.of(DeviceId.CHANNEL, new DeviceId(2, 7)));
            case QueryMaxResources _ -> new QueryMaxResources.Result(8, 8, 16, 8, 4, 1, 0, 0, 4);
            case QueryDeviceConfig _ -> new QueryDeviceConfig.Result(0, 0, 0, 0, 1, 0, 8, 9014);
            case RegisterDevice _ -> new RegisterDevice.Result(0x11, 0x222, 4);
            case QueryVportConfig _ -> new QueryVportConfig.Result(4, 4, 64, MAC, 0x900);
            case ConfigureVportTx _ -> new ConfigureVportTx.Result(VPORT_OFFSET, true);
            case CreateDmaRegion asked -> {
                regions.put(next, new ArrayList<>());
                wanted.put(next, asked.totalPages());
                status = pages(next, asked.pages());
                yield new CreateDmaRegion.Result(next++);
            }
            case AddDmaRegionPages asked -> {
                status = pages(asked.region(), asked.pages());
                yield null;
            }
            case CreateQueue asked -> {
                int id = events.size() + 1;
                events.put(id, new FakeQueues.Events(id, ring(asked.region(), asked.bytes()), asked.vector(),
                        function::raise));
                yield new CreateQueue.Result(id);
            }
            case CreateWqObject asked -> create(asked);
            case DestroyWqObject asked -> {
                objects.remove(asked.object());
                yield null;
            }
            case DisableQueue asked -> {
                events.remove(asked.queue());
                yield null;
            }
            case GenerateTestEvent asked -> {
                (head.device().type() == DeviceId.TYPE_CHANNEL ? function.channelEvents
                        : events.get(asked.eventQueue())).post(EventEntry.TEST, 0);
                yield null;
            }
            case FenceRq asked -> {
                FakeQueues.Work queue = objects.get(asked.object());
                queue.completions.post(queue.id, false, 0, CompletionEntry.first(ReceiveCompletion.FENCE, 0));
                yield null;
            }
            case ConfigureVportRx asked -> {
                steering = asked;
                yield new ConfigureVportRx.Result(0);
            }
            default -> null;
        };
        RequestHead echoed = !wrongActivity ? head : new RequestHead(head.command(), head.version(), head.messageId(),
                head.length(), head.command(), head.responseVersion(), head.responseMessageId(),
                head.responseLength(), head.device(), head.activity() + 1);
        return Response.write(new Message(), echoed, status, body);
    }

    private int pages(long region, long[] list) {
        for (long page : list) {
            regions.get(region).add(page);
        }
        return regions.get(region).size() == wanted.get(region) ? Status.SUCCESS : Status.MORE_ENTRIES;
    }

    private FakeRing ring(long region, int bytes) {
        return new FakeRing(function.table, regions.remove(region).stream().mapToLong(page -> page).toArray(), bytes);
    }

    private CreateWqObject.Result create(CreateWqObject asked) {
        long object = next++;
        int id = asked.type() == QueueType.SEND ? 0x400 * (objects.size() + 1) : objects.size() + 1;
        FakeQueues.Completions completions = new FakeQueues.Completions(objects.size() + 0x10,
                ring(asked.completionRegion(), asked.completionBytes()), events.get(asked.parentEventQueue()), false);
        objects.put(object, new FakeQueues.Work(id, ring(asked.workRegion(), asked.workBytes()), completions));
        return new CreateWqObject.Result(id, completions.id, object, CreateWqObject.EventHolding.NONE);
    }

    void doorbell(int slot, long word) {
        int id = Doorbell.queue(word);
        switch (slot) {
            case Doorbell.SEND, Doorbell.RECEIVE -> {
                FakeQueues.Work work = objects.values().stream().filter(one -> one.id == id).findFirst().orElseThrow();
                work.produced = Doorbell.producedBytes(word);
                while (slot == Doorbell.SEND && work.consumed != work.produced) {
                    transmit(work);
                }
            }
            case Doorbell.COMPLETION -> objects.values().stream().filter(one -> one.completions.id == id).findFirst()
                    .orElseThrow().completions.doorbell(Doorbell.consumerIndex(word), Doorbell.arms(word));
            default -> events.get(Doorbell.eventQueue(word)).doorbell(Doorbell.consumerIndex(word),
                    Doorbell.arms(word));
        }
    }

    private void transmit(FakeQueues.Work work) {
        int at = work.consumed;
        int word1 = RawMemory.get32(work.ring.at(at + WorkRequest.WORD1));
        lastSend = new int[] {RawMemory.get32(work.ring.at(at)), word1,
            RawMemory.get32(work.ring.at(at + SendRequest.FLAGS)),
            RawMemory.get32(work.ring.at(at + SendRequest.PLACE)), RawMemory.get32(work.ring.at(at + SendRequest.TAG)),
            RawMemory.get32(work.ring.at(at + SendRequest.WIDE))};
        byte[] frame = new byte[65536];
        int length = 0;
        for (int k = 0; k < WorkRequest.pieces(word1); k++) {
            long piece = work.ring.at(at + WorkRequest.firstPiece(word1) + k * WorkRequest.PIECE);
            int bytes = RawMemory.get32(piece + WorkRequest.PIECE_LENGTH);
            RawMemory.copy(function.table.pointer(RawMemory.get64(piece), bytes, false), frame, length, bytes);
            length += bytes;
        }
        work.consumed += WorkRequest.size(word1);
        deliver(frame, length);
        work.completions.post(work.id, true, 0, CompletionEntry.first(
                length < 14 ? SendCompletion.HEADERS : SendCompletion.OK, 0));
    }

    private void deliver(byte[] frame, int length) {
        if (length < 14 || steering == null || steering.receive() != ConfigureVportRx.ON) {
            return;
        }
        FakeQueues.Work queue = objects.get(steering.rss() == ConfigureVportRx.ON
                ? steering.table()[frame[14] & steering.table().length - 1] : steering.defaultQueue());
        int copies = coalesce ? 3 : 1;
        int[] words = new int[4 + 4 * copies];
        words[1] = CompletionEntry.first(coalesce ? ReceiveCompletion.COALESCED : ReceiveCompletion.OK, 0);
        words[2] = ReceiveCompletion.FLAGS;
        words[3] = ReceiveCompletion.IP_GOOD | ReceiveCompletion.TCP_GOOD;
        for (int k = 0; k < copies; k++) {
            if (queue.consumed == queue.produced) {
                return;
            }
            long piece = queue.ring.at(queue.consumed + WorkRequest.HEAD + WorkRequest.INLINE_SHORT);
            queue.consumed += WorkRequest.UNIT;
            if (length > RawMemory.get32(piece + WorkRequest.PIECE_LENGTH)) {
                queue.completions.post(queue.id, false, 0, CompletionEntry.first(ReceiveCompletion.TRUNCATED, 0));
                return;
            }
            RawMemory.copy(frame, 0, function.table.pointer(RawMemory.get64(piece), length, true), length);
            words[4 + 4 * k] = ReceiveCompletion.lengthAt(k);
            words[5 + 4 * k] = length;
            words[6 + 4 * k] = ReceiveCompletion.hashAt(k);
            words[7 + 4 * k] = 0xabc0 + k;
        }
        queue.completions.post(queue.id, false, words);
    }
}
