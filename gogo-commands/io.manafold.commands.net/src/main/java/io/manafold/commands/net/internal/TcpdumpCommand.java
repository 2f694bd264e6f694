package io.manafold.commands.net.internal;

import io.manafold.api.fabric.CaptureStatus;
import io.manafold.api.inet.DeviceCaptures;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.shell.Call;
import io.manafold.shell.Command;
import io.manafold.shell.Completer;
import io.manafold.shell.Syntax;
import io.manafold.shell.UsageError;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** Writes what passes a device to a file, for as long as it runs: {@code capture} by another name. */
@Component(service = Command.class, property = Command.NAME + "=tcpdump")
public final class TcpdumpCommand implements Command {
    private static final String INTERFACE = "-i";
    private static final String FILE = "-w";
    private static final String COUNT = "-c";
    private static final String SNAP = "-s";
    private static final int SHORTEST_SNAP = 14;
    private static final int LONGEST_SNAP = 262_144;
    private static final int LONGEST_PATH = 4096;
    private static final long GLANCE_MILLIS = 20;

    private final Network network;

    @Activate
    public TcpdumpCommand(@Reference Network network) {
        this.network = network;
    }

    @Override
    public Syntax syntax() {
        return Syntax.command("tcpdump", Words.FAMILY, "Writes what passes a network device to a pcapng file")
                .about("It runs until it has exactly as many packets as asked for, or is interrupted; the file is "
                        + "complete then. 'capture start DEV FILE' does the same and returns at once.")
                .option(INTERFACE + " DEV", Words.DEVICE_HELP, network.completeDevices())
                .option(FILE + " FILE", "the file, which is not there yet", Completer.FILES)
                .option(COUNT + " N", "ends after so many packets", Completer.NONE)
                .option(SNAP + " N", "how many bytes of a packet are kept at most; all of them if left out",
                        Completer.NONE)
                .form(INTERFACE + " DEV " + FILE + " FILE [" + COUNT + " N] [" + SNAP + " N]")
                .example("tcpdump -i mana0 -w mana0.pcapng", "until it is interrupted")
                .build();
    }

    @Override
    public void run(Call call) throws InterruptedException {
        String device = call.option(INTERFACE).orElseThrow(() -> new UsageError("tcpdump needs a device: "
                + INTERFACE + " DEV."));
        Path file = file(call.option(FILE).orElseThrow(() -> new UsageError("tcpdump needs a file to write to: "
                + FILE + " FILE; packets are not printed here.")));
        int snap = call.number(SNAP, 0, LONGEST_SNAP).orElse(0);
        int most = call.number(COUNT, 1, Integer.MAX_VALUE).orElse(0);
        DeviceCaptures captures = network.captures();
        captures.start(device, file, snap == 0 ? LONGEST_SNAP : Math.max(snap, SHORTEST_SNAP),
                most == 0 ? Long.MAX_VALUE : most);
        CaptureStatus last = null;
        try {
            call.err().println("tcpdump: listening on " + device + ", link-type EN10MB (Ethernet), snapshot length "
                    + (snap == 0 ? LONGEST_SNAP : snap) + " bytes");
            for (Optional<CaptureStatus> now = find(captures, device, file); now.isPresent()
                    && !now.get().complete() && now.get().problem() == null && !call.out().checkError();
                    now = find(captures, device, file)) {
                TimeUnit.MILLISECONDS.sleep(GLANCE_MILLIS);
            }
        } finally {
            if (find(captures, device, file).isPresent()) {
                last = captures.stop(device, file);
                call.err().println(last.frames() + " packets captured");
                call.err().println(last.missed() + " packets missed");
            }
        }
        if (last == null || last.problem() != null) {
            throw new Refusal(Errno.EIO, "The capture has ended early: "
                    + (last == null ? "another command has stopped it" : last.problem().replaceFirst("[.]$", ""))
                    + ".");
        }
    }

    private static Optional<CaptureStatus> find(DeviceCaptures captures, String device, Path file) {
        return captures.captures().stream()
                .filter(one -> one.link().equals(device) && one.file().equals(file)).findFirst();
    }

    private static Path file(String text) {
        if (text.isBlank() || text.equals("-") || text.length() > LONGEST_PATH
                || text.chars().anyMatch(c -> c < ' ' || c == 0x7f)) {
            throw new UsageError("'" + text + "' is not a path: at most " + LONGEST_PATH
                    + " characters, none of them a control character.");
        }
        return Path.of(text).toAbsolutePath().normalize();
    }
}
