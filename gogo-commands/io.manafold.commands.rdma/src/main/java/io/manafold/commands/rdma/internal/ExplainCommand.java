package io.manafold.commands.rdma.internal;

import io.manafold.api.adapter.RdmaTrace;
import io.manafold.shell.Call;
import io.manafold.shell.Candidate;
import io.manafold.shell.Command;
import io.manafold.shell.Completer;
import io.manafold.shell.Fields;
import io.manafold.shell.Syntax;
import io.manafold.shell.Table;
import io.manafold.shell.Typed;
import io.manafold.shell.UsageError;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** Says what has become of requests, and why. */
@Component(service = Command.class, property = Command.NAME + "=explain")
public final class ExplainCommand implements Command {
    private static final String PAIR = "QP";
    private static final String LAST = "--last";
    private static final String LIST = "--list";
    private static final int USUAL = 3;
    /** As many as adapters remember. */
    private static final int MOST = 64;

    private final Devices devices;
    private final Adapters adapters;

    @Activate
    public ExplainCommand(@Reference Devices devices, @Reference Adapters adapters) {
        this.devices = devices;
        this.adapters = adapters;
    }

    @Override
    public Syntax syntax() {
        return Syntax.command("explain", Words.FAMILY, "Says what has become of requests, and why")
                .verb(Syntax.verb("qp", "Follows the last requests of a queue pair from doorbell to completion")
                        .about("Each request with its doorbell, its packets (PSN) and what became of them (sent, lost, "
                                + "refused, sent again), the acknowledgement and the completion; for an error the rule "
                                + "that was broken, and what to do. Times are microseconds since the doorbell. "
                                + "Adapters remember the last 64 requests of each queue pair with a reliable "
                                + "connection, also of the 32 that have ended last.")
                        .about("What the peer has sent is shown only if something was wrong with it.")
                        .shows()
                        .option(LAST + " N", "how many requests, 1 to 64, besides one that has failed; 3 if left out",
                                Completer.NONE)
                        .flag(LIST, "shows instead which queue pairs are remembered, the one that has worked last "
                                + "first")
                        .argument(PAIR, "DEVICE/NUMBER of an RDMA device, or ADAPTER/NUMBER if a guest or another "
                                + "platform drives it; number as 'rdma resource show qp' or 'adapter show' has it; "
                                + "without one, the queue pair that has worked last", this::candidates)
                        .example("ibv_rc_pingpong -d mana_0 --to mana_1; explain qp mana_0 --last 3",
                                "the last three requests of the queue pair that has worked last")
                        .example("ibv_rc_pingpong -d mana_0 --to mana_1; explain qp mana_0 --list",
                                "which queue pairs are remembered")
                        .example("ibv_rc_pingpong -d mana_0 --to mana_1; explain qp mana_1 --json", "for programs"))
                .build();
    }

    private List<Candidate> candidates(Typed typed) {
        List<Candidate> all = new ArrayList<>();
        devices.all().stream().filter(device -> device.attributes().part() == Devices.WITH_CONNECTIONS)
                .forEach(device -> all.add(new Candidate(device.name(), device.summary(), true)));
        adapters.all()
                .forEach(adapter -> all.add(new Candidate(adapter.name(), "adapter at " + adapter.address(), true)));
        return all;
    }

    @Override
    public void run(Call call) {
        TracePlace place = TracePlace.read(call.required(PAIR), devices, adapters);
        int last = call.number(LAST, 1, MOST).orElse(USUAL);
        if (call.flag(LIST)) {
            if (call.flag(LAST) || place.number().isPresent()) {
                throw new UsageError(LIST + " is about all queue pairs of a device, so "
                        + (call.flag(LAST) ? LAST : "a number") + " does not go with it; leave one out.");
            }
            list(call, place);
            return;
        }
        RdmaTrace trace = place.trace(last);
        if (call.json()) {
            call.print(TraceText.fields(place.name(), trace));
        } else {
            TraceText.print(call.out(), place.name(), trace);
        }
    }

    private static void list(Call call, TracePlace place) {
        DateTimeFormatter clock = DateTimeFormatter.ofPattern("HH:mm:ss.SSSSSS").withZone(ZoneId.systemDefault());
        Table table = new Table().column("QP", "qp").column("STATE", "state").column("PORT", "port")
                .column("PEER", "peer_gid").column("PEER QP", "peer_qp").column("LAST", "last");
        List<Fields> objects = new ArrayList<>();
        place.used().forEach(trace -> {
            String state = trace.ended() ? "ended" : trace.pair().state();
            table.row(trace.pair().number(), state, trace.pair().port(), trace.pair().peerGid(), trace.pair().peer(),
                    clock.format(trace.last()));
            objects.add(Fields.of("qp", trace.pair().number()).and("state", trace.pair().state()).and("ended",
                    trace.ended()).and("port", trace.pair().port()).and("peer_gid", trace.pair().peerGid())
                    .and("peer_qp", trace.pair().peer()).and("last", trace.last()));
        });
        if (call.json()) {
            call.print(objects);
        } else {
            call.print(table);
        }
    }
}
