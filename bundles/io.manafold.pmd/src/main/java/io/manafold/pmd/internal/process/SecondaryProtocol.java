package io.manafold.pmd.internal.process;

import io.manafold.api.device.PciAddress;
import io.manafold.api.ethdev.EthDev;
import io.manafold.api.ethdev.EthDevInfo;
import io.manafold.api.ethdev.EthDevPlan;
import io.manafold.api.ethdev.EthDevStatistics;
import io.manafold.api.ethdev.LinkState;
import io.manafold.api.ethdev.Offload;
import io.manafold.api.ethdev.RssHash;
import io.manafold.api.net.MacAddress;
import io.manafold.pmd.internal.words.SyntheticArgument;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a primary and a secondary send each other, a packet of the socket each. The secondary asks by three numbers, and
 * is answered once for each question; events come between.
 */
final class SecondaryProtocol {
    static final int VERSION = 1;
    /** What a question is, and its bytes: what is asked, of which port, of which queue. */
    static final int QUESTION = 12;
    /** Both must say so first; the port is the version. */
    static final int HELLO = 1;
    static final int STATE = 2;
    static final int STATISTICS = 3;
    static final int RESET = 4;
    static final int LEND = 5;
    /** First byte of what the primary sends. */
    static final int DONE = 1;
    static final int REFUSED = 2;
    static final int EVENT = 3;
    static final int MOST_BYTES = 32 * 1024;
    /** What a secondary can ask of its primary for packets that it sends: each of them is of one segment. */
    private static final long SENT = ~Offload.SEND_SEGMENTS;
    private static final int MOST_PORTS = 64;
    private static final int MOST_COUNTERS = 1024;

    private SecondaryProtocol() {
    }

    /** Writes an answer. */
    interface Writing {
        void to(DataOutputStream out) throws IOException;
    }

    /** What does not change of a port. */
    record Known(int number, String name, EthDevInfo info) {
    }

    /** What does. */
    record State(EthDevPlan plan, boolean isStarted, LinkState link, int mtu) {
    }

    static byte[] bytes(int kind, Writing writing) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(kind);
            writing.to(out);
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
        return bytes.toByteArray();
    }

    static void known(DataOutputStream out, EthDev port) throws IOException {
        EthDevInfo info = port.info();
        out.writeInt(port.number());
        out.writeUTF(port.name());
        for (String text : new String[] {info.driver(), info.address(), info.arguments(), info.firmware(),
                info.mac().toString(),
            info.device()}) {
            out.writeUTF(text);
        }
        for (int number : new int[] {info.port(), info.maxQueues(), info.minDescriptors(), info.maxDescriptors(),
            info.descriptorAlignment(), info.minRoom(), info.minMtu(), info.maxMtu(), info.maxPieces(), info.keyBytes(),
            info.redirectionSize()}) {
            out.writeInt(number);
        }
        out.writeLong(info.receiveOffloads());
        out.writeLong(info.sendOffloads());
        out.writeLong(info.hashFields());
    }

    static Known known(DataInputStream in) throws IOException {
        int number = in.readInt();
        String name = in.readUTF();
        String[] text = new String[6];
        for (int i = 0; i < text.length; i++) {
            text[i] = in.readUTF();
        }
        int[] is = new int[11];
        for (int i = 0; i < is.length; i++) {
            is[i] = in.readInt();
        }
        try {
            if (!SyntheticArgument.isMeant(text[1])) {
                // so that a port is one of a function, or of a pair
                PciAddress.parse(text[1]);
            }
            return new Known(number, name, new EthDevInfo(text[0], text[1], is[0], text[2], text[3],
                    MacAddress.parse(text[4]), text[5], is[1], is[2], is[3], is[4], is[5], is[6], is[7], is[8], is[9],
                    is[10], in.readLong(), in.readLong() & SENT, in.readLong()));
        } catch (IllegalArgumentException wrong) {
            throw new IOException(wrong);
        }
    }

    static void state(DataOutputStream out, EthDev port) throws IOException {
        EthDevPlan plan = port.plan();
        out.writeInt(plan == null ? 0 : plan.receiveQueues());
        out.writeLong(plan == null ? 0 : plan.receiveOffloads());
        out.writeLong(plan == null ? 0 : plan.sendOffloads());
        out.writeLong(plan == null || plan.rss() == null ? 0 : plan.rss().fields());
        out.writeBoolean(port.isStarted());
        LinkState link = port.link();
        out.writeBoolean(link.isUp());
        out.writeInt(link.speed());
        out.writeInt(port.mtu());
    }

    static State state(DataInputStream in) throws IOException {
        int queues = in.readInt();
        long receive = in.readLong();
        long send = in.readLong() & SENT;
        long fields = in.readLong();
        EthDevPlan plan = queues == 0 ? null : new EthDevPlan(queues, queues, receive, send,
                fields == 0 ? null : new RssHash(new byte[0], fields), false);
        return new State(plan, in.readBoolean(), new LinkState(in.readBoolean(), in.readInt()), in.readInt());
    }

    static void statistics(DataOutputStream out, EthDev port) throws IOException {
        EthDevStatistics all = port.statistics();
        for (long count : new long[] {all.received(), all.receivedBytes(), all.sent(), all.sentBytes(), all.missed(),
            all.receiveErrors(), all.sendErrors(), all.noBuffers()}) {
            out.writeLong(count);
        }
        Map<String, Long> extended = port.extendedStatistics();
        out.writeInt(extended.size());
        for (Map.Entry<String, Long> one : extended.entrySet()) {
            out.writeUTF(one.getKey());
            out.writeLong(one.getValue());
        }
    }

    static EthDevStatistics statistics(DataInputStream in) throws IOException {
        return new EthDevStatistics(in.readLong(), in.readLong(), in.readLong(), in.readLong(), in.readLong(),
                in.readLong(), in.readLong(), in.readLong());
    }

    static Map<String, Long> extended(DataInputStream in) throws IOException {
        Map<String, Long> extended = new LinkedHashMap<>();
        for (int left = count(in, MOST_COUNTERS); left > 0; left--) {
            extended.put(in.readUTF(), in.readLong());
        }
        return extended;
    }

    static int ports(DataInputStream in) throws IOException {
        return count(in, MOST_PORTS);
    }

    private static int count(DataInputStream in, int most) throws IOException {
        int count = in.readInt();
        if (count < 0 || count > most) {
            throw new IOException("there cannot be " + count);
        }
        return count;
    }
}
