package io.manafold.commands.lab.internal;

import io.manafold.api.fabric.CaptureStatus;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.shell.Call;
import io.manafold.shell.Candidate;
import io.manafold.shell.Command;
import io.manafold.shell.Completer;
import io.manafold.shell.FileNames;
import io.manafold.shell.Syntax;
import io.manafold.shell.Table;
import io.manafold.shell.Typed;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** Writes what passes on links and at network devices to files. */
@Component(service = Command.class, property = Command.NAME + "=capture")
public final class CaptureCommand implements Command {
    private static final String SNAP = "--snap";
    private static final String COUNT = "--count";
    private static final int SHORTEST_SNAP = 14;
    private static final int LONGEST_SNAP = 262_144;

    private final Topology topology;

    @Activate
    public CaptureCommand(@Reference Topology topology) {
        this.topology = topology;
    }

    @Override
    public Syntax syntax() {
        return Syntax.command("capture", Words.FAMILY, "Writes what passes to pcapng files")
                .verb(Syntax.verb("start", "Begins to write every frame that enters a link, or passes a network "
                        + "device, to a new file")
                        .about("A capture never slows anything down: frames it cannot write in time are counted "
                                + "as missed. At a device it goes on when the driver is replaced. A relative path "
                                + "begins where the platform was started.")
                        .option(SNAP + " N", "how many bytes of a frame are kept at most; all of them if left out",
                                Completer.NONE)
                        .option(COUNT + " N", "ends after so many frames, with the file complete; 'capture list' and "
                                + "the log say so", Completer.NONE)
                        .argument(Words.PLACE, Words.PLACE_HELP, topology.completeCapturePlaces())
                        .argument(Words.FILE, "the file, which is not there yet", Completer.FILES)
                        .example("capture start net net.pcapng", "to be opened with Wireshark")
                        .example("capture start mana0 mana0.pcapng", "what the driver receives and sends")
                        .example("capture start net next.pcapng --count 10", "the next ten frames"))
                .verb(Syntax.verb("stop", "Ends the captures of a link or device; their files are then complete")
                        .shows()
                        .argument(Words.PLACE, Words.PLACE_HELP, topology.completeCapturePlaces())
                        .optional(Words.FILE, "the file of the one to end; all of them if left out",
                                this::files)
                        .example("capture stop net", "and says how much they hold"))
                .verb(Syntax.verb("list", "Lists the captures that have not been stopped").shows()
                        .example("capture list", "files, frames, and what was missed"))
                .build();
    }

    private List<Candidate> files(Typed typed) {
        return typed.argument(Words.PLACE).flatMap(topology::findCapturePlace).map(CapturePlace::captures)
                .orElse(List.of()).stream()
                .map(capture -> new Candidate(capture.file().toString(), capture.frames() + " frames", true)).toList();
    }

    @Override
    public void run(Call call) {
        switch (call.verb()) {
            case "start" -> {
                Path file = FileNames.absolute(call.required(Words.FILE));
                int snap = call.number(SNAP, SHORTEST_SNAP, LONGEST_SNAP).orElse(LONGEST_SNAP);
                int count = call.number(COUNT, 1, Integer.MAX_VALUE).orElse(0);
                topology.capturePlace(call.required(Words.PLACE)).start(file, snap, count == 0 ? Long.MAX_VALUE
                        : count);
            }
            case "stop" -> call.print(table(stop(call, topology.capturePlace(call.required(Words.PLACE)))));
            default -> call.print(list(topology.capturePlaces().stream().flatMap(place -> place.captures().stream())
                    .toList()));
        }
    }

    private static List<CaptureStatus> stop(Call call, CapturePlace place) {
        List<Path> running = place.captures().stream().map(CaptureStatus::file).toList();
        List<Path> ending = call.argument(Words.FILE).map(text -> List.of(FileNames.absolute(text))).orElse(running);
        List<CaptureStatus> stopped = new ArrayList<>();
        for (Path file : ending) {
            if (!running.contains(file)) {
                throw new Refusal(Errno.ENOENT, "Nothing on " + place.kind() + " '" + place.name()
                        + "' is being written to " + file + "; 'capture list' shows what is.");
            }
            stopped.add(place.stop(file));
        }
        return stopped;
    }

    private static Table list(List<CaptureStatus> captures) {
        Table table = new Table().column("LINK", "link").column("FILE", "file").column("FRAMES", "frames")
                .column("BYTES", "bytes").column("MISSED", "missed").column("STATE", "state")
                .column("PROBLEM", "problem");
        captures.forEach(capture -> table.row(capture.link(), capture.file().toString(), capture.frames(),
                capture.bytes(), capture.missed(), state(capture), capture.problem()));
        return table;
    }

    private static String state(CaptureStatus capture) {
        if (capture.problem() != null) {
            return "failed";
        }
        return capture.complete() ? "complete" : "running";
    }

    private static Table table(List<CaptureStatus> captures) {
        Table table = new Table().column("LINK", "link").column("FILE", "file").column("FRAMES", "frames")
                .column("BYTES", "bytes").column("MISSED", "missed").column("PROBLEM", "problem");
        captures.forEach(capture -> table.row(capture.link(), capture.file().toString(), capture.frames(),
                capture.bytes(), capture.missed(), capture.problem()));
        return table;
    }
}
