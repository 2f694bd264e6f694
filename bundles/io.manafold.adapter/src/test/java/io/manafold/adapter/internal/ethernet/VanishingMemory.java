package io.manafold.adapter.internal.ethernet;

import io.manafold.gdma.SendRequest;
import java.io.IOException;

/**
 * Runs in a virtual machine of its own, with the data path compiled: one of two guests shortens the file behind some
 * memory of its own, and a third pair of queues tells whether all other queues go on. Dying is the failure.
 */
final class VanishingMemory {
    private static final int ROUNDS = 4000;

    private final Guest one = new Guest("one", 0x000d3a000001L);
    private final Guest two = new Guest("two", 0x000d3a000002L);
    private final DirectLink link = new DirectLink();
    private final boolean checksum;
    private GuestSender sender;
    private GuestReceiver receiver;
    private long payload;
    private int length;

    private VanishingMemory(boolean checksum) {
        this.checksum = checksum;
        one.port.attach(link);
        two.port.attach(link);
        one.port.transmitVia(Guest.PD, 4, 0);
    }

    /** What lies in memory that goes away. */
    private enum Part { PAYLOAD, SEND_RING, BUFFERS, RECEIVE_RING, COMPLETIONS, NOTHING }

    public static void main(String[] arguments) throws IOException {
        for (boolean checksum : new boolean[] {false, true}) {
            new VanishingMemory(checksum).run(Part.NOTHING);
            for (Part part : Part.values()) {
                System.out.println(part + (checksum ? " checksum " : " plain ")
                        + new VanishingMemory(checksum).run(part));
            }
        }
        System.out.println("alive");
    }

    private String run(Part part) throws IOException {
        byte[] frame = Packets.ip(4, Packets.TCP, two.mac.value(), 1200, 1);
        length = frame.length;
        at(one, part == Part.SEND_RING, () -> sender = one.sender(0x400, 4096));
        at(one, part == Part.PAYLOAD, () -> payload = one.put(frame));
        if (part == Part.COMPLETIONS) {
            two.useFileForCompletions(1 << 20);
        }
        at(two, part == Part.RECEIVE_RING, () -> receiver = two.receiver(1, 4096));
        at(two, part == Part.BUFFERS, () -> receiver.post(128, 1514));
        receiver.open();
        if (checksum) {
            sender.flags = SendRequest.IPV4 | SendRequest.TCP_CHECKSUM;
        }
        for (int i = 0; i < 128; i++) {
            sender.post(payload, length);
        }
        for (int round = 0; round < ROUNDS; round++) {
            sender.produced = 4096 + round * 256;
            turn(true);
        }
        switch (part) {
            case PAYLOAD, SEND_RING -> one.shorten();
            case BUFFERS, RECEIVE_RING, COMPLETIONS -> two.shorten();
            default -> { }
        }
        // as many completions as there is room for, since those that are gone are not looked at any more
        for (int round = 0; round < (part == Part.COMPLETIONS ? 16 : 64); round++) {
            sender.produced += 256;
            turn(part != Part.COMPLETIONS);
        }
        String result = "sender " + (sender.queue.ended ? "ended" : "goes on") + ", receiver "
                + (receiver.queue.ended ? "ended" : "goes on") + ", others " + (othersWork() ? "work" : "stand");
        one.close();
        two.close();
        return result;
    }

    private void turn(boolean looks) {
        sender.queue.doorbell(sender.produced);
        receiver.queue.doorbell(receiver.queue.consumed() + 4096);
        while (one.port.duty().doWork() > 0) {
            // as an agent would
        }
        sender.completions.drain();
        if (looks) {
            receiver.completions.drain();
        }
    }

    private boolean othersWork() {
        GuestSender other = one.sender(0x800, 4096);
        GuestReceiver its = two.receiver(9, 4096).post(4, 1514);
        its.open();
        byte[] frame = Packets.ip(4, Packets.TCP, two.mac.value(), 1200, 2);
        other.send(frame);
        GuestReceiver.Arrived arrived = its.receive();
        return arrived != null && java.util.Arrays.equals(arrived.frame(), frame) && other.completion() == 32;
    }

    private static void at(Guest guest, boolean inFile, Runnable make) throws IOException {
        if (inFile) {
            guest.useFile(1 << 20);
        }
        make.run();
        guest.useBlock();
    }
}
