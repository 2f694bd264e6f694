package io.manafold.uring;

import io.manafold.api.refusal.Refusal;
import io.manafold.linux.SystemCallException;
import io.manafold.memory.RawMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Whether the kernel puts received bytes into an area that belongs to no card. */
final class Area {
    private static final int PAGES = 4;
    private static final int BYTES = 1000;

    private Area() {
    }

    /** 0 or a negative error number. */
    static long tried() {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate((long) RawMemory.PAGE * (PAGES + 1), RawMemory.PAGE);
            return tried(memory.address(), memory.address() + (long) RawMemory.PAGE * PAGES);
        }
    }

    /** @param from a page that is sent from */
    private static long tried(long address, long from) {
        ReceiveArea area = null;
        try (Trial trial = new Trial(RingSetup.of(4, 8).wider())) {
            area = new ReceiveArea(trial.ring, address, PAGES);
            long answer = trial.connect(Request.accept(trial.listener.number()));
            if (answer >= 0) {
                answer = trial.once(Request.send(trial.client.number(), Request.ALL), from, BYTES);
            }
            if (answer >= 0) {
                answer = trial.once(Request.receiveIntoArea(trial.accepted().number(), area.id()), 0, 0);
            }
            return answer < 0 ? answer : area.flush();
        } catch (Refusal refused) {
            return -refused.errno().number();
        } catch (SystemCallException failed) {
            return -failed.errno();
        } finally {
            if (area != null) {
                area.close();
            }
        }
    }
}
