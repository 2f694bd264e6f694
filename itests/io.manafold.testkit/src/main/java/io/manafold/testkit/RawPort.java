package io.manafold.testkit;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.CompletionEntry;
import io.manafold.gdma.Limits;
import io.manafold.gdma.QueueType;
import io.manafold.gdma.ReceiveCompletion;
import io.manafold.gdma.SendCompletion;
import io.manafold.gdma.SendRequest;
import io.manafold.gdma.WorkRequest;
import io.manafold.gdma.driver.ClientSession;
import io.manafold.gdma.driver.CompletionQueue;
import io.manafold.gdma.driver.DoorbellPage;
import io.manafold.gdma.driver.EthernetSession;
import io.manafold.gdma.driver.EventQueue;
import io.manafold.gdma.driver.ProtectionDomain;
import io.manafold.gdma.driver.QueuePair;
import io.manafold.gdma.driver.QueueRights;
import io.manafold.gdma.message.ConfigureVportRx;
import io.manafold.gdma.message.ConfigureVportTx;
import io.manafold.gdma.message.CreateMr;
import io.manafold.gdma.message.QueryVportConfig;
import io.manafold.memory.DmaPiece;
import io.manafold.memory.RawMemory;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * One send and one receive queue on a vPort as a driver beside the Ethernet driver has them: in a protection domain, on
 * a doorbell page and over registered memory of its own. It polls; the user has one thread.
 */
public final class RawPort implements AutoCloseable {
    /** What requests call the first byte of the memory; the function has it elsewhere. */
    private static final long BASE = 0x7f12_3456_7000L;
    /** Frames are at most this long. */
    public static final int SLOT = 2048;

    private final ClientSession client;
    private final QueryVportConfig.Result vport;
    private final DmaPiece memory;
    private final int entries;
    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final ProtectionDomain domain;
    private final ProtectionDomain.RegisteredMemory registered;
    private final QueueRights rights;
    private final QueuePair sends;
    private final QueuePair receives;
    private final long plain;
    private int head;
    private int tail;
    private int next;
    private long sent;
    private long failed;
    private long received;

    /**
     * Opens it and steers everything that arrives to its queue.
     *
     * @param index of the vPort, from 0
     * @param memory of {@code 2 * entries} slots
     * @param entries requests of each queue, a power of two from 128
     * @param completions of each queue, any number from 64; sends under way are as many less one at most
     */
    public RawPort(EthernetSession session, int index, DmaPiece memory, int entries, int completions, int vector) {
        client = session.client();
        vport = session.vports().get(index);
        this.memory = memory;
        this.entries = Math.min(entries, completions) - 1;
        try {
            domain = client.createDomain();
            open.push(domain);
            registered = domain.register(memory, 2 * entries * SLOT, BASE, CreateMr.LOCAL_READ | CreateMr.LOCAL_WRITE);
            open.push(registered);
            DoorbellPage page = client.allocatePage();
            open.push(page);
            rights = client.rights().with(domain, registered.localKey(), page);
            EventQueue events = client.createEventQueue(4096, vector);
            open.push(() -> client.destroyEventQueue(events));
            int offset = session.call(new ConfigureVportTx(vport.vport(), domain.id(), page.number())).offset();
            sends = pair(QueueType.SEND, entries, completions, events);
            receives = pair(QueueType.RECEIVE, entries, completions, events);
            plain = SendRequest.flags(0, sends.completions().id()) & 0xffff_ffffL
                    | (long) SendRequest.place(0, sends.work().id(), offset) << 32;
            // one completion more than buffers is for fences
            for (int i = 0; i < this.entries; i++) {
                post(i);
            }
            receives.work().ring();
            steer(true);
            open.push(() -> steer(false));
        } catch (RuntimeException refused) {
            close();
            throw refused;
        }
    }

    private QueuePair pair(int type, int requests, int completions, EventQueue events) {
        QueuePair pair = QueuePair.create(client,
                new QueuePair.Shape(rights, vport.vport(), type, requests * WorkRequest.UNIT,
                        completions * CompletionEntry.SIZE, events.id()));
        open.push(pair::destroy);
        return pair;
    }

    private void steer(boolean on) {
        long[] table = new long[vport.indirection()];
        for (int i = 0; on && i < table.length; i++) {
            table[i] = receives.object();
        }
        client.call(new ConfigureVportRx(vport.vport(), on ? ConfigureVportRx.ON : ConfigureVportRx.OFF,
                ConfigureVportRx.OFF, on, false, on, on ? receives.object() : Limits.NO_OBJECT,
                new byte[Limits.HASH_KEY], 1, table));
    }

    private void post(int slot) {
        receives.work().commitPlain(0, BASE + (long) (entries + slot) * SLOT, rights.memoryKey(), SLOT);
    }

    /** Sends a frame with the next {@link #ring}; false if there is no room. */
    public boolean send(byte[] frame, int length) {
        if (head - tail == entries) {
            return false;
        }
        long at = (long) (head % entries) * SLOT;
        RawMemory.copy(frame, 0, memory.pointer() + at, length);
        sends.work().commitPlain(plain, BASE + at, rights.memoryKey(), length);
        head++;
        return true;
    }

    public void ring() {
        sends.work().ring();
    }

    /** Takes completions and hands packets over. Returns how many there were of both. */
    public int poll(PacketHandler handler) {
        return pollSends() + pollReceives(handler);
    }

    private int pollSends() {
        int count = 0;
        for (long entry = sends.next(); entry != 0; entry = sends.next()) {
            if (CompletionEntry.type(RawMemory.get32(entry + SendCompletion.FIRST)) == SendCompletion.OK) {
                sent++;
            } else {
                failed++;
            }
            sends.completions().consume();
            sends.work().complete(WorkRequest.UNIT);
            tail++;
            count++;
        }
        ended(sends.completions(), count);
        return count;
    }

    private int pollReceives(PacketHandler handler) {
        int count = 0;
        for (long entry = receives.next(); entry != 0; entry = receives.next()) {
            if (CompletionEntry.type(RawMemory.get32(entry + ReceiveCompletion.FIRST)) == ReceiveCompletion.OK) {
                handler.packet(memory.pointer() + (long) (entries + next) * SLOT,
                        RawMemory.get16(entry + ReceiveCompletion.lengthAt(0)),
                        RawMemory.get32(entry + ReceiveCompletion.FLAGS),
                        RawMemory.get32(entry + ReceiveCompletion.hashAt(0)));
                received++;
            }
            receives.completions().consume();
            receives.work().complete(WorkRequest.UNIT);
            post(next);
            next = next + 1 == entries ? 0 : next + 1;
            count++;
        }
        if (count > 0) {
            receives.work().ring();
        }
        ended(receives.completions(), count);
        return count;
    }

    private static void ended(CompletionQueue queue, int count) {
        queue.polled(count);
        if (queue.failure() != null) {
            throw new Refusal(Errno.EPROTO, queue.failure() + " Reset the function.");
        }
    }

    public int outstanding() {
        return head - tail;
    }

    public long sent() {
        return sent;
    }

    public long failed() {
        return failed;
    }

    public long received() {
        return received;
    }

    public QueuePair sends() {
        return sends;
    }

    public QueuePair receives() {
        return receives;
    }

    public ProtectionDomain domain() {
        return domain;
    }

    /** The key that its queues use. */
    public ProtectionDomain.RegisteredMemory registered() {
        return registered;
    }

    public QueryVportConfig.Result vport() {
        return vport;
    }

    @Override
    public void close() {
        while (!open.isEmpty()) {
            try {
                open.pop().close();
            } catch (Refusal _) {
                // the function may be gone: the rest is given back all the same
            } catch (Exception impossible) {
                throw new IllegalStateException(impossible);
            }
        }
    }
}
