package io.manafold.vfio.internal.protocol;

import io.manafold.api.device.Interrupts;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.linux.Descriptor;
import io.manafold.linux.EventFd;
import io.manafold.linux.SystemCallException;
import java.util.Arrays;

/**
 * Where interrupts go: to eventfds of the client, which a thread of the export writes. A vector keeps one callback
 * while its eventfd is replaced under it, so that a signal raised at that moment reaches the old or the new one, and
 * none is lost.
 */
final class Vectors implements AutoCloseable {
    private final Interrupts interrupts;
    private final InterruptWriter writer;
    private final SessionCounters costs;
    /** The vectors of the function, then the one for errors. */
    private final boolean[] directed;

    /** @param writer has a place for each interrupt of the function, and one more */
    Vectors(Interrupts interrupts, InterruptWriter writer, SessionCounters costs) {
        this.interrupts = interrupts;
        this.writer = writer;
        this.costs = costs;
        this.directed = new boolean[interrupts.count() + 1];
    }

    /** How many places a writer needs for a function's interrupts. */
    static int places(Interrupts interrupts) {
        return interrupts.count() + 1;
    }

    /** How many interrupts an index of vfio has. */
    int count(int index) {
        return switch (index) {
            case VfioUser.IRQ_MSIX -> interrupts.count();
            case VfioUser.IRQ_ERROR -> 1;
            default -> 0;
        };
    }

    /** Carries out a request of type DEVICE_SET_IRQS. */
    void set(Request request) {
        if (request.bodySize() < 20) {
            request.exactly(20);
        }
        request.roomFor(20);
        int flags = request.getInt(4);
        int index = request.getInt(8);
        long start = request.getInt(12) & 0xffff_ffffL;
        long count = request.getInt(16) & 0xffff_ffffL;
        if (index < 0 || index >= VfioUser.IRQ_INDEXES || start + count > count(index)) {
            throw new Refusal(Errno.EINVAL, "interrupts " + start + " to " + (start + count - 1) + " of index "
                    + Integer.toUnsignedString(index) + " are not there"
                    + (index < 0 || index >= VfioUser.IRQ_INDEXES ? "" : ": it has " + count(index)));
        }
        switch (flags) {
            case VfioUser.SET_ACTION_TRIGGER | VfioUser.SET_DATA_NONE -> {
                request.exactly(20);
                request.withoutDescriptors();
                if (count == 0) {
                    clear(index);
                } else {
                    for (int i = 0; i < count; i++) {
                        raise(index, (int) start + i);
                    }
                }
            }
            case VfioUser.SET_ACTION_TRIGGER | VfioUser.SET_DATA_BOOL -> {
                request.exactly(20 + (int) count);
                request.withoutDescriptors();
                for (int i = 0; i < count; i++) {
                    if (request.get(20 + i) != 0) {
                        raise(index, (int) start + i);
                    }
                }
            }
            case VfioUser.SET_ACTION_TRIGGER | VfioUser.SET_DATA_EVENTFD -> {
                request.exactly(20);
                assign(request, index, (int) start, (int) count);
            }
            default -> throw new Refusal(Errno.EINVAL, "DEVICE_SET_IRQS with flags 0x" + Integer.toHexString(flags)
                    + " is not possible: it takes one kind of data (1 none, 2 booleans, 4 eventfds) and triggering "
                    + "(32); interrupts here cannot be masked");
        }
    }

    private void assign(Request request, int index, int start, int count) {
        int given = request.descriptorCount();
        if (count == 0 || given != 0 && given != count) {
            throw new Refusal(Errno.EINVAL, "DEVICE_SET_IRQS for " + count + " interrupts came with " + given
                    + " eventfds; it takes one for each, or none to take them away");
        }
        EventFd[] fresh = adopt(request, given);
        int done = 0;
        try {
            for (; done < count; done++) {
                replace(index, start + done, given == 0 ? null : fresh[done]);
            }
        } finally {
            // the writer has the one that failed and those before it
            for (int i = done + 1; i < given; i++) {
                fresh[i].close();
            }
        }
    }

    /** All or nothing: what is no eventfd must not leave half of a request done. */
    private static EventFd[] adopt(Request request, int given) {
        EventFd[] fresh = new EventFd[given];
        try {
            for (int i = 0; i < given; i++) {
                Descriptor taken = request.take(i);
                fresh[i] = EventFd.adopt(taken);
            }
            return fresh;
        } catch (SystemCallException refused) {
            for (EventFd one : fresh) {
                if (one != null) {
                    one.close();
                }
            }
            throw new Refusal(Errno.EINVAL, "DEVICE_SET_IRQS came with something that interrupts cannot go to: "
                    + refused.getMessage());
        }
    }

    /** What fails in the middle of this is done again by the client's next try. */
    private void replace(int index, int number, EventFd fresh) {
        int place = place(index, number);
        boolean was = directed[place];
        if (fresh == null && was && index == VfioUser.IRQ_MSIX) {
            interrupts.clear(number);
        }
        writer.target(place, fresh, costs);
        if (fresh != null && !was && index == VfioUser.IRQ_MSIX) {
            interrupts.target(number, () -> writer.raise(number));
        }
        directed[place] = fresh != null;
    }

    private int place(int index, int number) {
        return index == VfioUser.IRQ_ERROR ? interrupts.count() : number;
    }

    private void raise(int index, int number) {
        int place = place(index, number);
        if (directed[place]) {
            writer.raise(place);
        }
    }

    private void clear(int index) {
        for (int i = 0; i < count(index); i++) {
            replace(index, i, null);
        }
    }

    @Override
    public void close() {
        for (int i = 0; i < interrupts.count(); i++) {
            if (directed[i]) {
                interrupts.clear(i);
            }
        }
        Arrays.fill(directed, false);
        writer.forget();
    }
}
