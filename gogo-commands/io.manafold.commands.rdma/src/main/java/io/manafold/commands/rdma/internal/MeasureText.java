package io.manafold.commands.rdma.internal;

import io.manafold.api.rdma.Gid;
import io.manafold.shell.Call;
import io.manafold.shell.Fields;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Headers, tables and objects of perftest. */
final class MeasureText {
    private static final String LINE = "-".repeat(87);

    private final Call call;
    private final MeasurePlan plan;
    private final String device;
    private final boolean serving;
    private final int reads;
    private final List<Result> results = new ArrayList<>();

    /**
     * @param plan with the MTU and the address that are used
     * @param serving whether this end waits for the other
     * @param reads under way at most
     */
    MeasureText(Call call, MeasurePlan plan, String device, boolean serving, int reads) {
        this.call = call;
        this.plan = plan;
        this.device = device;
        this.serving = serving;
        this.reads = reads;
    }

    private boolean sends() {
        return !serving || plan.both();
    }

    private boolean receives() {
        return plan.operation() == Operation.SEND && (serving || plan.both());
    }

    /** Its memory is read by the other end, which alone knows how long that takes. */
    private boolean isRead() {
        return serving && plan.latency() && plan.operation() == Operation.READ;
    }

    private static String onOff(boolean on) {
        return on ? "ON" : "OFF";
    }

    private void say(String format, Object... values) {
        if (!call.json()) {
            call.out().println(String.format(Locale.ROOT, format, values));
        }
    }

    private String test(String between) {
        return plan.operation().label() + between + (plan.both() ? "Bidirectional" + between : "")
                + (plan.list() > 1 ? "Post" + between + "List" + between : "") + (plan.latency() ? "Latency" : "BW")
                + between + "Test";
    }

    void begin() {
        say(LINE);
        say("                    %s", test(" "));
        say(" Dual-port       : OFF\t\tDevice         : %s", device);
        say(" Number of qps   : %d\t\tTransport type : IB", plan.pairs());
        say(" Connection type : RC\t\tUsing SRQ      : OFF");
        say(" PCIe relax order: OFF\t\tLock-free      : OFF");
        say(" ibv_wr* API     : OFF\t\tUsing DDP      : OFF");
        if (sends()) {
            say(" TX depth        : %d", plan.sends());
        }
        if (plan.list() > 1) {
            say(" Post List       : %d", plan.list());
        }
        if (receives()) {
            say(" RX depth        : %d", plan.receives());
        }
        if (!plan.latency()) {
            say(" CQ Moderation   : %d", plan.moderation());
        }
        say(" Mtu             : %d[B]", plan.mtu());
        say(" Link type       : Ethernet");
        say(" GID index       : %d", plan.gid());
        say(plan.operation() == Operation.READ ? " Outstand reads  : " + reads : " Max inline data : 0[B]");
        say(" rdma_cm QPs\t : %s", onOff(plan.managed()));
        say(" Data ex. method : %s", plan.managed() ? "rdma_cm" : "Ethernet");
        if (serving && plan.managed()) {
            say(LINE);
            say(" Waiting for client rdma_cm QP to connect");
            say(" Please run the same command with the IB/RoCE interface IP");
        }
        say(LINE);
    }

    /** A queue pair of this end or the other. */
    void pair(boolean own, int number, int psn, RemoteMemory memory, long offset, Gid gid) {
        StringBuilder line = new StringBuilder(String.format(Locale.ROOT, " %s address: LID 0000 QPN %#06x PSN %#06x",
                own ? "local" : "remote", number, psn));
        // what a connection manager connects has told the rest in its messages, and is shown without it
        if (plan.operation() == Operation.READ && !plan.managed()) {
            line.append(String.format(Locale.ROOT, " OUT %#04x", reads));
        }
        if (plan.operation() != Operation.SEND && !plan.managed()) {
            line.append(String.format(Locale.ROOT, " RKey %#08x VAddr %#016x", memory.key(), memory.address()
                    + offset));
        }
        say("%s", line);
        StringBuilder bytes = new StringBuilder();
        for (int i = 0; i < Long.BYTES * 2; i++) {
            long half = i < Long.BYTES ? gid.high() : gid.low();
            bytes.append(i == 0 ? "" : ":")
                    .append(String.format(Locale.ROOT, "%02d", half >>> 56 - i % Long.BYTES * 8 & 0xff));
        }
        say(" GID: %s", bytes);
    }

    void table() {
        say(LINE);
        if (isRead()) {
            return;
        }
        say("%s", !plan.latency() ? Throughput.header(plan) : plan.isTimed() ? Latency.Timed.HEADER : Latency.HEADER);
    }

    void add(Result result) {
        results.add(result);
        if (!isRead()) {
            say("%s", result.line(plan));
        }
        call.out().flush();
    }

    /** All of it for programs. */
    void end() {
        if (!call.json()) {
            if (!isRead()) {
                say(LINE);
            }
            return;
        }
        List<Fields> all = results.stream().map(Result::fields).toList();
        call.print(Fields.of("test_info", info()).and("results", all.size() == 1 ? all.getFirst() : all));
    }

    private Fields info() {
        Fields info = Fields.of("test", test("_")).and("Dual_port", "OFF").and("Device", device)
                .and("Number_of_qps", plan.pairs()).and("Transport_type", "IB").and("Connection_type", "RC")
                .and("Using_SRQ", "OFF").and("PCIe_relax_order", "OFF").and("ibv_wr_API", "OFF");
        if (sends()) {
            info.and("TX_depth", plan.sends());
        }
        if (plan.list() > 1) {
            info.and("Post_List", plan.list());
        }
        if (receives()) {
            info.and("RX_depth", plan.receives());
        }
        if (!plan.latency()) {
            info.and("CQ_Moderation", plan.moderation());
        }
        info.and("Mtu", plan.mtu()).and("Link_type", "Ethernet").and("GID_index", plan.gid());
        if (plan.operation() == Operation.READ) {
            info.and("Outstand_reads", reads);
        } else {
            info.and("Max_inline_data", 0);
        }
        return info.and("rdma_cm_QPs", onOff(plan.managed())).and("Use_ROCm_memory", "OFF")
                .and("Data_ex_method", plan.managed() ? "rdma_cm" : "Ethernet");
    }
}
