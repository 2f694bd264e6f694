package io.manafold.commands.net.internal;

import io.manafold.api.fabric.CaptureStatus;
import io.manafold.api.inet.DeviceCaptures;
import io.manafold.api.inet.PacketListing;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.shell.Call;
import io.manafold.shell.Command;
import io.manafold.shell.Completer;
import io.manafold.shell.FileNames;
import io.manafold.shell.Syntax;
import io.manafold.shell.UsageError;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** Prints what passes a device, or writes it to a file, for as long as it runs. */
@Component(service = Command.class, property = Command.NAME + "=tcpdump")
public final class TcpdumpCommand implements Command {
    private static final String INTERFACE = "-i";
    private static final String FILE = "-w";
    private static final String COUNT = "-c";
    private static final String SNAP = "-s";
    private static final String LINK = "-e";
    private static final String NO_TIME = "-t";
    private static final String NUMBERS = "-n";
    /** The file that is none. */
    private static final String OUTPUT = "-";
    private static final int SHORTEST_SNAP = 14;
    private static final int LONGEST_SNAP = 262_144;
    private static final long GLANCE_MILLIS = 20;

    private final Network network;

    @Activate
    public TcpdumpCommand(@Reference Network network) {
        this.network = network;
    }

    @Override
    public Syntax syntax() {
        return Syntax.command("tcpdump", Words.FAMILY, "Prints what passes a network device, or writes it to a file")
                .about("It runs until it has exactly as many packets as asked for, or is interrupted; a file is "
                        + "complete then. Names are never looked up, and sequence numbers are those of the packets. "
                        + "'capture start DEV FILE' writes a file, too, and returns at once.")
                .shows()
                .option(INTERFACE + " DEV", Words.DEVICE_HELP, network.completeDevices())
                .option(COUNT + " N", "ends after so many packets", Completer.NONE)
                .option(FILE + " FILE", "writes pcapng to a file, which is not there yet; to the output for '-'",
                        Completer.FILES)
                .option(SNAP + " N", "how many bytes of a packet are kept at most; all of them if left out",
                        Completer.NONE)
                .flag(LINK, "prints what Ethernet says, too")
                .flag(NO_TIME, "prints no time")
                .flag(NUMBERS, "is always so: numbers instead of names")
                .form(INTERFACE + " DEV [" + COUNT + " N] [" + LINK + "] [" + NO_TIME + "] [" + NUMBERS + "]")
                .form(INTERFACE + " DEV " + FILE + " FILE [" + COUNT + " N] [" + SNAP + " N]")
                .example("tcpdump -i mana0 -c 3 -e", "the next three, with their link-level headers")
                .example("tcpdump -i mana0 -w mana0.pcapng", "until it is interrupted")
                .build();
    }

    @Override
    public void run(Call call) throws InterruptedException {
        String device = call.option(INTERFACE).orElseThrow(() -> new UsageError("tcpdump needs a device: "
                + INTERFACE + " DEV."));
        int snap = call.number(SNAP, 0, LONGEST_SNAP).orElse(0);
        snap = snap == 0 ? LONGEST_SNAP : Math.max(snap, SHORTEST_SNAP);
        long most = call.number(COUNT, 1, Integer.MAX_VALUE).orElse(Integer.MAX_VALUE);
        Optional<String> file = call.option(FILE);
        if (file.isPresent() && !file.get().equals(OUTPUT)) {
            write(call, device, FileNames.absolute(file.get()), snap, most);
        } else {
            show(call, device, snap, most, file.isPresent());
        }
    }

    private void show(Call call, String device, int snap, long most, boolean stream) throws InterruptedException {
        try (PacketListing packets = network.captures().list(device, snap, stream ? call.out() : null)) {
            listening(call, device, snap);
            PacketDump dump = new PacketDump(call, packets);
            try {
                dump.show(most, stream, call.flag(LINK), !call.flag(NO_TIME));
            } finally {
                counted(call, dump.seen(), packets.missed());
            }
        }
    }

    private static void listening(Call call, String device, int snap) {
        call.err().println("tcpdump: listening on " + device + ", link-type EN10MB (Ethernet), snapshot length " + snap
                + " bytes");
    }

    private static void counted(Call call, long captured, long missed) {
        call.err().println(captured + " packets captured");
        call.err().println(missed + " packets missed");
    }

    private void write(Call call, String device, Path file, int snap, long most) throws InterruptedException {
        DeviceCaptures captures = network.captures();
        captures.start(device, file, snap, most == Integer.MAX_VALUE ? Long.MAX_VALUE : most);
        CaptureStatus last = null;
        try {
            listening(call, device, snap);
            for (Optional<CaptureStatus> now = find(captures, device, file); now.isPresent()
                    && !now.get().complete() && now.get().problem() == null && !call.out().checkError();
                    now = find(captures, device, file)) {
                TimeUnit.MILLISECONDS.sleep(GLANCE_MILLIS);
            }
        } finally {
            if (find(captures, device, file).isPresent()) {
                last = captures.stop(device, file);
                counted(call, last.frames(), last.missed());
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
}
