package io.manafold.adapter.internal.ethernet;

import io.manafold.memory.RawMemory;
import java.io.IOException;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs in a virtual machine of its own: a guest shortens and lengthens the file behind its frames at random instants
 * while four of its queues send, one completion a frame, and a neighbour on the same thread sends half as many. Says
 * what became of both; dying is the failure.
 */
final class VanishingFuzz {
    private static final int QUEUES = 4;
    private static final int BURST = 96;
    private static final int PAGES = 64;
    private static final int FILE = PAGES * 4096;
    private static final int LENGTH = 1000;
    /** After so many ended queues the guest leaves and another one comes. */
    private static final int MOST_ENDED = 500;

    private final Random random;
    private final AtomicReference<Guest> shortened = new AtomicReference<>();
    private final Guest sink = new Guest("sink", 0x000d3a0000f2L);
    private final Neighbour neighbour = new Neighbour();
    private volatile boolean over;
    private long ended;
    private long guests;
    private long completed;
    private long cutShort;
    private long mistakes;

    private VanishingFuzz(long seed) {
        random = new Random(seed);
    }

    public static void main(String[] arguments) throws Exception {
        long nanos = Long.parseLong(arguments[0]) * 1_000_000_000L;
        long seed = Long.parseLong(arguments[1]);
        VanishingFuzz fuzz = new VanishingFuzz(seed);
        Thread shortener = Thread.ofPlatform().daemon().start(fuzz::shorten);
        long end = System.nanoTime() + nanos;
        while (System.nanoTime() - end < 0) {
            fuzz.oneGuest(end);
        }
        fuzz.over = true;
        shortener.join();
        System.out.println("seed " + seed + ": " + fuzz.guests + " guests, " + fuzz.ended + " queues ended, "
                + fuzz.completed + " completions, " + fuzz.cutShort + " cycles cut short");
        System.out.println("mistakes " + fuzz.mistakes);
        System.out.println("neighbour lost " + (fuzz.neighbour.sent - fuzz.neighbour.arrived) + " of "
                + (fuzz.neighbour.sent > 0 ? "many" : "none"));
        System.out.println(fuzz.ended > 0 && fuzz.completed > 0 ? "both ways seen" : "nothing seen");
    }

    private void oneGuest(long end) throws IOException {
        Guest guest = new Guest("hostile", 0x000d3a0000f1L, 64 << 20, Guest.MTU_FRAME);
        DirectLink link = new DirectLink();
        guest.useFile(FILE);
        long frames = guest.take(FILE);
        guest.useBlock();
        for (int page = 0; page < PAGES; page++) {
            guest.put(frames + page * 4096L, Packets.ip(4, Packets.UDP, sink.mac.value(), LENGTH, page));
        }
        guest.port.attach(link);
        guests++;
        GuestSender[] senders = new GuestSender[QUEUES];
        int endedHere = 0;
        shortened.set(guest);
        while (endedHere < MOST_ENDED && System.nanoTime() - end < 0) {
            for (int i = 0; i < QUEUES; i++) {
                if (senders[i] == null) {
                    senders[i] = guest.sender(0x400 + 16 * i, 4096);
                    // with the last queue of a port goes who sends there
                    guest.port.transmitVia(Guest.PD, 4, 0);
                }
                GuestSender sender = senders[i];
                for (int frame = random.nextInt(BURST); frame > 0 && hasRoom(sender); frame--) {
                    sender.post(frames + random.nextInt(PAGES) * 4096L, LENGTH);
                }
                sender.queue.doorbell(sender.produced);
            }
            work(guest);
            neighbour.send();
            for (int i = 0; i < QUEUES; i++) {
                completed += senders[i].completions.drain();
                if (senders[i].queue.ended) {
                    guest.port.destroy(senders[i].queue);
                    senders[i] = null;
                    ended++;
                    endedHere++;
                }
            }
        }
        shortened.set(null);
        guest.port.quiesce();
        mistakes += guest.rejected.stream().filter(sentence -> sentence.contains("internal error")).count();
        guest.close();
    }

    /** A doorbell beyond the ring would be refused from then on, and nothing be seen any more. */
    private static boolean hasRoom(GuestSender sender) {
        return sender.produced - sender.queue.consumed() < sender.ringBytes;
    }

    /** As the agent of a link does. */
    private void work(Guest guest) {
        for (int turn = 0; turn < 8; turn++) {
            try {
                int done = guest.port.duty().doWork();
                RawMemory.settle();
                if (done == 0) {
                    return;
                }
            } catch (InternalError gone) {
                cutShort++;
            } catch (RuntimeException mistake) {
                mistake.printStackTrace(System.out);
                mistakes++;
            }
        }
    }

    private void shorten() {
        Random instants = new Random();
        while (!over) {
            Guest guest = shortened.get();
            try {
                if (guest != null) {
                    for (int pause = instants.nextInt(1_000); pause > 0; pause--) {
                        Thread.onSpinWait();
                    }
                    guest.length(instants.nextInt(PAGES) * 4096);
                    if (instants.nextInt(64) == 0) {
                        LockSupport.parkNanos(instants.nextInt(50_000));
                    }
                    // mostly at once, so that the memory is there again when the adapter looks whose it was
                    guest.length(FILE);
                }
            } catch (IOException gone) {
                // that guest has just left
                Thread.onSpinWait();
            }
        }
    }

    /** Another guest with memory of its own, on the same thread. */
    private static final class Neighbour {
        private final Guest from = new Guest("neighbour", 0x000d3a0000f3L);
        private final Guest to = new Guest("friend", 0x000d3a0000f4L);
        private final GuestSender sender;
        private final GuestReceiver receiver;
        private final long frame;
        private final int length;
        private long sent;
        private long arrived;

        private Neighbour() {
            DirectLink link = new DirectLink();
            from.port.attach(link);
            to.port.attach(link);
            from.port.transmitVia(Guest.PD, 4, 0);
            sender = from.sender(0x400, 4096);
            receiver = to.receiver(1, 4096);
            receiver.post(128, 1514);
            receiver.open();
            byte[] bytes = Packets.ip(4, Packets.UDP, to.mac.value(), LENGTH, 1);
            frame = from.put(bytes);
            length = bytes.length;
        }

        private void send() {
            for (int i = 0; i < BURST / 2; i++) {
                sender.post(frame, length);
            }
            sender.queue.doorbell(sender.produced);
            receiver.queue.doorbell(receiver.queue.consumed() + 4096);
            while (from.port.duty().doWork() > 0) {
                // as an agent would
            }
            sent += BURST / 2;
            sender.completions.drain();
            arrived += receiver.completions.drain();
        }
    }
}
