package io.manafold.doctor.internal;

import io.manafold.image.internal.ElfBytes;
import java.io.IOException;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Does to a prepared machine what Linux would do if the doctor's lines were pasted there, word by word as printed. */
final class PastedCommands {
    private static final String APPLICATION = "answers/application";
    private static final String INTERFACES = "answers/interfaces";

    private PastedCommands() {
    }

    /** The groups of a line that is of a form, or {@code null}. */
    private static Matcher of(String form, String line) {
        Matcher found = Pattern.compile(form).matcher(line);
        return found.matches() ? found : null;
    }

    /** Carries out a line. @return false for one that only looks, or tells what cannot be done by a command there */
    static boolean paste(Prepared machine, String line) throws IOException {
        Matcher found;
        if ((found = of("ip link set (\\S+) (up|down)", line)) != null) {
            boolean up = found.group(2).equals("up");
            machine.edit(INTERFACES, of(found.group(1),
                    text -> text.replaceAll("(flags=0x\\w+)[0-9]", "$1" + (up ? 3 : 2))));
            if (up) {
                // the synthetic device above it gives it what is sent from here on
                machine.answer("ethtool-S.eth1.later", Prepared.counters(1000, 1500));
            }
        } else if ((found = of("ip link set (\\S+) (address|mtu) (\\S+)", line)) != null) {
            String key = found.group(2).equals("address") ? "mac" : "mtu";
            String value = found.group(3);
            machine.edit(INTERFACES, of(found.group(1), text -> text.replaceAll(key + "=\\S+", key + "=" + value)));
        } else if ((found = of("ip addr flush dev (\\S+)", line)) != null) {
            String device = found.group(1);
            machine.edit("answers/ip-addr", text -> text.replaceAll("(?m)^.* dev=" + device + "\\n", ""));
        } else if (line.equals("modprobe mana")) {
            machine.edit("answers/functions", text -> text.replaceAll("driver= ", "driver=mana "));
            machine.edit("answers/dmesg", text -> text.replace("pci 7870", "mana 7870"));
        } else if (line.equals("modprobe -r mana_ib mana && modprobe mana")) {
            // the synthetic device takes a function with its address as it comes
            machine.edit(INTERFACES, PastedCommands::paired);
        } else if ((found = of("echo (\\d+) > (/\\S+)", line)) != null) {
            String pages = found.group(1);
            machine.file(found.group(2), pages + "\n");
            machine.edit("files/proc/meminfo", text -> text.replaceAll("(HugePages_\\w+: +)\\d+", "$1" + pages));
        } else if ((found = of("mount -t hugetlbfs nodev (/\\S+)", line)) != null) {
            machine.file("/proc/mounts", "nodev " + found.group(1) + " hugetlbfs rw 0 0\n");
        } else if ((found = of("chown \\$\\(id -u\\) (/\\S+)", line)) != null) {
            machine.answer("hugepage-mounts", found.group(1) + " writable=yes\n");
        } else if ((found = of("apt install (\\S+) \\|\\| .*", line)) != null) {
            install(machine, found.group(1));
        } else if ((found = of("# give (--\\w+=\\d+)(?: (--\\w+=\\d+))?", line)) != null) {
            option(machine, found.group(1));
            if (found.group(2) != null) {
                option(machine, found.group(2));
            }
        } else if ((found = of("# give (--mbuf-size=\\d+) before --max-pkt-len", line)) != null) {
            String option = found.group(1);
            machine.edit(APPLICATION, text -> text.replace("--max-pkt-len", option + " --max-pkt-len"));
        } else if ((found = of("# name one core more .*: (-l \\S+)", line)) != null) {
            String cores = found.group(1);
            machine.edit(APPLICATION, text -> text.replaceAll("-l \\S+", cores));
        } else if (line.startsWith("# write -a instead of -w")) {
            machine.edit(APPLICATION, text -> text.replace(" -w ", " -a "));
        } else if (line.equals("# leave -P out")) {
            machine.edit(APPLICATION, text -> text.replace(" -P", ""));
        } else if ((found = of("# name mana beside .* in (/\\S+)", line)) != null) {
            machine.edit("files" + found.group(1), PastedCommands::withMana);
        } else if ((found = of("# match the synthetic device instead: driver hv_netvsc in (/\\S+)", line)) != null) {
            machine.edit("files" + found.group(1), text -> text.replace("driver: mana", "driver: hv_netvsc"));
        } else {
            return false;
        }
        return true;
    }

    /** Changes the lines of one interface. */
    private static UnaryOperator<String> of(String name, UnaryOperator<String> change) {
        return text -> Pattern.compile("(?m)^" + Pattern.quote(name) + " .*$").matcher(text)
                .replaceAll(line -> Matcher.quoteReplacement(change.apply(line.group())));
    }

    private static String paired(String interfaces) {
        String text = interfaces;
        for (Matcher synthetic = Pattern.compile("(?m)^(\\S+) mac=(\\S+) .*driver=hv_netvsc.*$").matcher(interfaces);
                synthetic.find();) {
            text = text.replaceAll("(?m)^(\\S+ mac=" + synthetic.group(2) + " .*driver=mana .*master=)\\S*$",
                    "$1" + synthetic.group(1));
        }
        return text;
    }

    private static String withMana(String text) {
        return text.replace("mlx5_core\"]", "mlx5_core\", \"mana\"]")
                .replace("mlx4_core|mlx5_core", "mlx4_core|mlx5_core|mana")
                .replace("driver:mlx5_core", "driver:mlx5_core;driver:mana").replace("watches mlx5_core\n",
                "watches mlx5_core mana\n");
    }

    private static void option(Prepared machine, String option) throws IOException {
        String name = option.substring(0, option.indexOf('='));
        machine.edit(APPLICATION, text -> text.replaceAll(name + "=\\d+", option));
    }

    private static void install(Prepared machine, String name) throws IOException {
        switch (name) {
            case "linux-image-cloud-amd64" -> {
                machine.answer("uname", Prepared.KERNEL + "\n");
                machine.file(Prepared.MODULE, ElfBytes.module(20));
            }
            case "ibverbs-providers" -> {
                machine.file(Prepared.PROVIDERS + "libmana-rdmav34.so", ElfBytes.provider(20));
                machine.gone("/usr/lib/x86_64-linux-gnu/libibverbs.so.1.14.39.0");
            }
            case "dpdk" -> machine.gone("/usr/lib64/librte_eal.so.22.0");
            default -> throw new IllegalArgumentException("no package " + name);
        }
    }
}
