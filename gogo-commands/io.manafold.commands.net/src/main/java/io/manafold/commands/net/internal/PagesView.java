package io.manafold.commands.net.internal;

import io.manafold.api.memory.MemoryBlock;
import io.manafold.api.net.PagePlan;
import io.manafold.api.net.PoolStatus;
import io.manafold.commands.net.internal.PagesCommand.Outlook;
import io.manafold.shell.Call;
import io.manafold.shell.Fields;
import io.manafold.shell.Table;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.stream.Collectors;

/** Pools and plans as tables and objects. */
final class PagesView {
    private PagesView() {
    }

    static void pools(Call call, List<PoolStatus> pools, boolean statistics) {
        if (call.json()) {
            call.print(pools.stream().map(PagesView::fields).toList());
        } else if (statistics) {
            List<Fields> objects = new ArrayList<>();
            for (PoolStatus pool : pools) {
                Fields fields = Fields.of("pool", name(pool));
                pool.statistics().forEach(fields::and);
                objects.add(fields);
            }
            call.print(objects);
        } else {
            call.print(census(pools));
        }
    }

    private static Table census(List<PoolStatus> pools) {
        Table table = new Table().column("DEVICE", "device").column("QUEUE", "queue").column("POLICY", "policy")
                .column("PAGE", "page").column("MAPPED", "mapping").column("PAGES", "pages").column("FREE", "free")
                .column("POSTED", "posted").column("HELD", "held");
        for (PoolStatus pool : pools) {
            table.row(pool.device(), pool.queue(), pool.plan().policy().word(), size(pool.plan().page()),
                    pool.mapping().word(), pool.pages(), pool.free(), pool.posted(), held(pool));
        }
        return table;
    }

    static void blocks(Call call, List<MemoryBlock> blocks) {
        Table table = new Table().column("BLOCK", "block").column("BYTES", "bytes").column("HELD", "held");
        for (MemoryBlock block : blocks) {
            SortedMap<String, Integer> holders = block.holders();
            table.row(block.name(), block.size(), new Table.Cell(holders.entrySet().stream()
                    .map(one -> one.getKey() + " " + one.getValue()).collect(Collectors.joining(", ")), holders));
        }
        call.print(table);
    }

    private static String held(PoolStatus pool) {
        List<String> words = new ArrayList<>();
        if (pool.closing()) {
            words.add("closing");
        }
        pool.held().forEach((who, count) -> words.add(who + " " + count));
        return String.join(", ", words);
    }

    private static String name(PoolStatus pool) {
        return pool.device() + " queue " + pool.queue() + (pool.closing() ? ", closing" : "");
    }

    private static Fields fields(PoolStatus pool) {
        PagePlan plan = pool.plan();
        return Fields.of("device", pool.device()).and("queue", pool.queue()).and("policy", plan.policy().word())
                .and("page", plan.page()).and("slot", plan.slot()).and("per_page", plan.perPage())
                .and("mapping", pool.mapping().word()).and("pages", pool.pages()).and("free", pool.free())
                .and("posted", pool.posted()).and("held", pool.held()).and("closing", pool.closing())
                .and("statistics", pool.statistics());
    }

    static void comparison(Call call, List<Outlook> outlooks, PagePlan base) {
        if (call.json()) {
            call.print(outlooks.stream().map(one -> one.plan() != null ? fields(one.plan(), base)
                    : Fields.of("policy", one.policy().word()).and("mtu", base.mtu()).and("page", base.page())
                            .and("refused", one.refusal())).toList());
            return;
        }
        Table table = new Table().column("POLICY", "policy").column("PER PAGE", "per_page")
                .column("BYTES/PACKET", "bytes_per_packet").column("SAVED", "saved_percent");
        for (Outlook one : outlooks) {
            PagePlan plan = one.plan();
            if (plan == null) {
                table.row(one.policy().word(), null, null, "impossible");
                continue;
            }
            double saved = saved(plan, base);
            table.row(plan.policy().word(), plan.perPage(),
                    new Table.Cell(round(plan.bytesPerPacket(), 1).stripTrailingZeros().toPlainString(),
                            plan.bytesPerPacket()),
                    saved == 0 ? null : new Table.Cell(round(saved, 1) + " %", saved));
        }
        call.print(table);
    }

    static void plan(Call call, PagePlan plan, PagePlan base) {
        Fields fields = fields(plan, base);
        call.print(call.json() ? fields : Fields.of("policy", plan.policy().word())
                .and("page", plan.page() + " bytes" + (plan.order() == 0 ? ""
                        : ", " + (1 << plan.order()) + " together"))
                .and("mtu", plan.mtu()).and("headroom", plan.headroom()).and("data", plan.data())
                .and("slot", plan.slot()).and("per page", plan.perPage())
                .and("bytes per packet", round(plan.bytesPerPacket(), 1)).and("saved", round(saved(plan, base), 2)
                        + " %"));
    }

    private static Fields fields(PagePlan plan, PagePlan base) {
        return Fields.of("policy", plan.policy().word()).and("mtu", plan.mtu()).and("page", plan.page())
                .and("order", plan.order()).and("headroom", plan.headroom()).and("data", plan.data())
                .and("slot", plan.slot()).and("per_page", plan.perPage())
                .and("bytes_per_packet", round(plan.bytesPerPacket(), 2)).and("saved_percent",
                        round(saved(plan, base), 2));
    }

    /** Percent of the memory of one packet to a page. */
    private static double saved(PagePlan plan, PagePlan base) {
        return 100 * (1 - plan.bytesPerPacket() / base.bytesPerPacket());
    }

    private static BigDecimal round(double number, int places) {
        return BigDecimal.valueOf(number).setScale(places, RoundingMode.HALF_UP);
    }

    private static String size(int bytes) {
        return bytes / 1024 + "k";
    }
}
