package io.manafold.traffic.internal;

import io.manafold.api.net.PacketBuffer;
import io.manafold.api.net.PacketPort;
import io.manafold.api.traffic.TrafficPlan;
import java.nio.ByteBuffer;

/**
 * Makes sends that are too large for the wire, each in as many buffers as it needs; the device cuts them into segments,
 * every one of which has numbers of its own. On the thread of the device that sends.
 */
final class LargeSends {
    private final TrafficPlan plan;
    private final int run;
    private final int segment;
    private final int segments;
    private final ByteBuffer bytes;
    private PacketBuffer[] buffers;
    private int room;

    LargeSends(TrafficPlan plan, int run) {
        this.plan = plan;
        this.run = run;
        segment = plan.size() - plan.form().headers();
        segments = plan.form().segments(plan.size());
        bytes = ByteBuffer.allocate(segment);
    }

    /**
     * Takes buffers for sends and links those of each.
     *
     * @param into gets the first buffer of each
     * @return how many sends there are buffers for
     */
    int take(PacketPort port, PacketBuffer[] into, int want) {
        if (buffers == null) {
            PacketBuffer[] first = new PacketBuffer[1];
            if (port.take(first, 0, 1) == 0) {
                return 0;
            }
            use(room(first[0]), into.length);
            first[0].release();
        }
        int each = each();
        int taken = port.take(buffers, 0, want * each);
        for (int i = 0; i < taken; i++) {
            int now = room(buffers[i]);
            if (now != room) {
                // the device has buffers of another size by now, as after a change of its MTU
                PacketBuffer.release(buffers, 0, taken);
                use(now, into.length);
                return 0;
            }
        }
        int sends = taken / each;
        PacketBuffer.release(buffers, sends * each, taken - sends * each);
        for (int send = 0; send < sends; send++) {
            into[send] = buffers[send * each];
            int left = plan.form().headers() + plan.form().large();
            for (int i = 0; i < each; i++) {
                PacketBuffer buffer = buffers[send * each + i];
                buffer.place(buffer.headroom(), Math.min(left, room));
                buffer.next(i + 1 < each ? buffers[send * each + i + 1] : null);
                left -= room;
            }
        }
        return sends;
    }

    private static int room(PacketBuffer buffer) {
        return buffer.capacity() - buffer.headroom();
    }

    /** From here on each buffer has that many bytes. */
    private void use(int bytes, int sends) {
        room = bytes;
        buffers = new PacketBuffer[sends * each()];
    }

    private int each() {
        return (plan.form().headers() + plan.form().large() - 1) / room + 1;
    }

    /** Writes all that is behind the headers, and has it cut. */
    void fill(PacketBuffer first, int send, int flow, long ofFlow) {
        int headers = plan.form().headers();
        for (int i = 0; i < segments; i++) {
            int size = Math.min(segment, plan.form().large() - i * segment);
            int written = TestFrame.segment(bytes, run, flow, ofFlow * segments + i, size, plan.verify());
            put(send * each(), headers + i * segment, written);
        }
        first.cut(segment, headers);
    }

    private void put(int firstBuffer, int place, int count) {
        int done = 0;
        while (done < count) {
            PacketBuffer buffer = buffers[firstBuffer + (place + done) / room];
            int at = (place + done) % room;
            int some = Math.min(count - done, room - at);
            buffer.put(at, bytes.array(), done, some);
            done += some;
        }
    }

    /** Gives the buffers of sends back that were not accepted. */
    static void release(PacketBuffer[] sends, int from, int count) {
        for (int i = from; i < from + count; i++) {
            PacketBuffer buffer = sends[i];
            while (buffer != null) {
                PacketBuffer next = buffer.next();
                buffer.next(null);
                buffer.release();
                buffer = next;
            }
        }
    }
}
