package io.manafold.commands.net.internal;

import io.manafold.api.net.NetDevice;
import io.manafold.shell.Call;
import io.manafold.shell.Candidate;
import io.manafold.shell.Command;
import io.manafold.shell.Syntax;
import io.manafold.shell.Typed;
import io.manafold.shell.UsageError;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** Shows and changes what a network device can be told, as people know it. */
@Component(service = Command.class, property = Command.NAME + "=ethtool")
public final class EthtoolCommand implements Command {
    private static final String WORDS = "WORD";
    /** What is done by which flag. */
    private static final List<Mode> MODES = List.of(
            new Mode("-i, --driver", "the driver and what it supports", EthtoolViews::driver, null),
            new Mode("-S, --statistics", "the counters of the device and its queues", EthtoolViews::statistics, null),
            new Mode("-k, --show-features, --show-offload", "the offloads", FeatureView::show, null),
            new Mode("-K, --features, --offload", "changes offloads: FEATURE on|off ...", null,
                    FeatureView::change),
            new Mode("-l, --show-channels", "how many queues", EthtoolViews::channels, null),
            new Mode("-L, --set-channels", "changes it: combined N", null, EthtoolChanges::channels),
            new Mode("-g, --show-ring", "how long the rings are", EthtoolViews::rings, null),
            new Mode("-G, --set-ring", "changes it: [rx N] [tx N]", null, EthtoolChanges::rings),
            new Mode("-x, --show-rxfh-indir, --show-rxfh", "how received packets are spread over queues",
                    EthtoolViews::spreading, null),
            new Mode("-X, --set-rxfh-indir, --rxfh", "changes it: [hkey BYTES] [equal N | weight N ... | default]",
                    null, EthtoolChanges::spreading),
            new Mode("-c, --show-coalesce", "how completions are gathered", EthtoolViews::coalescing, null),
            new Mode("-C, --coalesce", "changes it: adaptive-rx on, rx-usecs N, rx-frames N, the same with tx, "
                    + "rx-cqe-frames N", null, EthtoolChanges::coalescing),
            new Mode("-a, --show-pause", "pause parameters, which a driver of this kind does not have",
                    EthtoolAnswers::pause, null),
            new Mode("-n, -u, --show-nfc, --show-ntuple", "how many queues flows could be steered to; there are no "
                    + "rules", EthtoolAnswers::classification, null),
            new Mode("-T, --show-time-stamping", "who stamps packets with the time", EthtoolAnswers::timeStamps,
                    null),
            new Mode("-m, --dump-module-eeprom, --module-info", "the EEPROM of a plug-in module, which there is not",
                    EthtoolAnswers::module, null),
            new Mode("-P, --show-permaddr", "the address that the port was given",
                    EthtoolAnswers::permanentAddress, null),
            new Mode("-d, --register-dump", "registers, which a driver of this kind does not dump",
                    EthtoolAnswers::registers, null),
            new Mode("--debug", "the driver's side of each queue, as 'queues' shows it, and for how long its "
                    + "interrupts are held back: usecs, frames, whether the driver chooses them, and events it has "
                    + "heard of; how many were held back its adapter alone knows, 'adapter stats'",
                    (call, device) -> call.print(QueuesCommand.table(List.of(device), true)), null),
            new Mode("--show-priv-flags", "the flags of the driver's own", EthtoolViews::privateFlags, null),
            new Mode("--set-priv-flags", "changes them: FLAG on|off ...", null, EthtoolChanges::privateFlags));

    private final Network network;

    /** A flag with what it shows, or what it changes by further words. */
    private record Mode(String spellings, String help, BiConsumer<Call, NetDevice> view, Change change) {
        String name() {
            return spellings.split(",")[0];
        }

        List<String> names() {
            return List.of(spellings.split(", "));
        }
    }

    /** Changes a device. */
    @FunctionalInterface
    interface Change {
        void apply(Call call, NetDevice device, IpWords words);
    }

    @Activate
    public EthtoolCommand(@Reference Network network) {
        this.network = network;
    }

    @Override
    public Syntax syntax() {
        Syntax.Builder syntax = Syntax.command("ethtool", Words.FAMILY, "Shows and changes a network device's settings")
                .about("Flags and labels are those of the tool of this name. Without a flag, speed and link are shown.")
                .shows()
                .form(Words.DEVICE);
        for (Mode mode : MODES) {
            String name = mode.name();
            syntax.form(name + " " + Words.DEVICE + (mode.change() == null ? ""
                    : " " + mode.help().substring(mode.help().indexOf(": ") + 2)));
            syntax.flag(mode.spellings(), mode.help());
        }
        return syntax.argument(Words.DEVICE, Words.DEVICE_HELP, network.completeDevices())
                .repeated(WORDS, "what to change", this::words)
                .example("ethtool mana0", "speed and link")
                .example("ethtool -S mana1", "its counters")
                .example("ethtool -S mana1 --json", "the same for programs")
                .example("ethtool --debug mana0", "rings, completions and interrupts as the driver has "
                        + "them, and how those are held back")
                .example("ethtool -P mana0; ethtool -T mana0", "its own address, and who stamps its packets")
                .example("ethtool -L mana0 combined 1", "one queue")
                .example("ethtool -G mana0 rx 512 tx 512", "shorter and longer rings")
                .example("ethtool -X mana0 equal 1", "everything to the first queue")
                .example("ethtool -K mana0 tso off", "segments are made in software")
                .example("ethtool -C mana0 rx-cqe-frames 4", "up to four packets to a completion")
                .example("ethtool -C mana0 rx-cqe-frames 8", "up to eight, with firmware of 2026-08 and later")
                .example("ethtool -C mana0 adaptive-rx off rx-usecs 50 rx-frames 32",
                        "an interrupt at most each 50 us, or when 32 packets wait")
                .build();
    }

    @Override
    public void run(Call call) {
        List<Mode> asked = MODES.stream().filter(mode -> call.flag(mode.name())).toList();
        if (asked.size() > 1) {
            throw new UsageError("One at a time: " + asked.get(0).name() + " or " + asked.get(1).name() + ".");
        }
        NetDevice device = network.device(call.required(Words.DEVICE));
        List<String> words = call.arguments(WORDS);
        Mode mode = asked.isEmpty() ? null : asked.getFirst();
        if (mode != null && mode.change() != null) {
            if (words.isEmpty()) {
                throw new UsageError("ethtool " + mode.name() + " " + mode.help() + ".");
            }
            mode.change().apply(call, device, new IpWords(words));
            return;
        }
        if (!words.isEmpty()) {
            throw new UsageError("'" + words.getFirst() + "' is one word too many for ethtool"
                    + (mode == null ? "" : " " + mode.name()) + ".");
        }
        if (mode == null) {
            EthtoolViews.settings(call, device);
        } else {
            mode.view().accept(call, device);
        }
    }

    /** Words that can follow the device, by the flag that was typed. */
    private List<Candidate> words(Typed typed) {
        List<String> flags = new ArrayList<>(typed.words());
        Stream<String> found = MODES.stream().filter(mode -> mode.names().stream().anyMatch(flags::contains))
                .findFirst().map(mode -> switch (mode.name()) {
                    case "-L" -> Stream.of("combined");
                    case "-G" -> Stream.of("rx", "tx");
                    case "-C" -> Stream.of("adaptive-rx", "adaptive-tx", "rx-usecs", "rx-frames", "tx-usecs",
                            "tx-frames", "rx-cqe-frames");
                    case "-X" -> Stream.of("equal", "weight", "hkey", "default");
                    case "-K" -> named(typed, FeatureView::names);
                    case "--set-priv-flags" -> named(typed, device -> device.privateFlags().keySet().stream());
                    default -> Stream.<String>of();
                }).orElse(Stream.of());
        return found.map(word -> new Candidate(word, "", true)).toList();
    }

    /** Names that a device has, or {@code on} and {@code off} behind one of them. */
    private Stream<String> named(Typed typed, Function<NetDevice, Stream<String>> names) {
        return typed.argument(Words.DEVICE).stream().flatMap(name -> network.devices().stream()
                .filter(device -> device.name().equals(name))).flatMap(device -> {
                    List<String> known = names.apply(device).toList();
                    return known.contains(typed.words().getLast()) ? Stream.of("on", "off") : known.stream();
                });
    }
}
