package io.manafold.doctor.internal.image;

import io.manafold.api.doctor.Evidence;
import io.manafold.api.doctor.Finding;
import io.manafold.doctor.internal.linux.Texts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Rules of an image for network devices: which ones are given addresses, and which are left alone. */
final class NetworkRules {
    private static final int MOST_FILES = 500;
    private static final Pattern ADDRESSES = Pattern
            .compile("(?i)^[ \\t]*+(?:- )?+[ \\t]*+(?:dhcp[46]:[ \\t]*(?:true|yes)|DHCP=(?:yes|true|ipv[46])|"
            + "Address=|addresses:|type:[ \\t]*(?:dhcp|static)|method=(?:auto|manual))");
    private static final Pattern UNMANAGED = Pattern.compile(
            "(?i)unmanaged(?:-devices)?\\s*=|Unmanaged=yes|NM_UNMANAGED|ID_NET_MANAGED_BY|managed\\s*=\\s*(?:0|false)");
    private static final Pattern SLAVES = Pattern.compile("ATTR\\{flags\\}|IFF_SLAVE|AZURE_UNMANAGED_SRIOV");
    private static final Set<String> MATCHED = Set.of("driver", "name", "macaddress", "path",
            "interface-name");
    /** What networkd's own files are about: devices that are no card. */
    private static final Pattern OTHER_KIND = Pattern.compile("^(?:Kind=(?!!)|Type=(?:wlan|wwan|loopback|6rd|tunnel))");
    private static final Pattern NETPLAN_ID = Pattern.compile("^ {2,8}([A-Za-z0-9._-]+):\\s*$");
    private static final Pattern SYNTHETIC = Pattern.compile("\\bhv_netvsc\\b|\\beth0\\b");
    private static final List<String> MANAGER = List.of("/usr/lib/systemd/system/NetworkManager.service",
            "/lib/systemd/system/NetworkManager.service", "/usr/sbin/NetworkManager");
    private static final Pattern MANA = Pattern.compile("\\bmana(?:_ib)?\\b");

    /** What a rule is about. */
    enum Kind {
        /** Gives addresses to synthetic devices by their driver. */
        SYNTHETIC,
        /** Gives addresses to what has MANA's driver. */
        MANA,
        /** Gives addresses to what has the name eth0. */
        ETH0,
        /** Gives addresses to what has any name or address: virtual functions, too. */
        ANY,
        /** Leaves devices alone that are below another one. */
        LEAVES_SLAVES,
        /** Leaves MANA's devices alone by their driver, whether something is above them or not. */
        LEAVES_MANA,
        /** Leaves synthetic devices alone, by their driver or as eth0, so that nothing gives them addresses. */
        LEAVES_SYNTHETIC,
        /** Leaves the drivers of older adapters alone, and does not know MANA. */
        LEAVES_OTHERS,
        /** Names devices by their address, which a virtual function has from the device above it. */
        NAMES_BY_ADDRESS
    }

    /** A rule and where it stands. */
    record Rule(Kind kind, Finding.Line line) {
    }

    final List<Rule> rules = new ArrayList<>();
    private final Evidence image;

    NetworkRules(Evidence image) {
        this.image = image;
        each("/etc/netplan", this::addresses);
        each("/usr/lib/netplan", this::addresses);
        each("/etc/systemd/network", this::addresses);
        each("/usr/lib/systemd/network", this::addresses);
        addresses("/etc/cloud/cloud.cfg");
        each("/etc/cloud/cloud.cfg.d", this::addresses);
        each("/etc/NetworkManager/system-connections", this::addresses);
        each("/usr/lib/NetworkManager/system-connections", this::addresses);
        each("/etc/NetworkManager/conf.d", this::leaves);
        each("/usr/lib/NetworkManager/conf.d", this::leaves);
        leaves("/etc/NetworkManager/NetworkManager.conf");
        each("/etc/udev/rules.d", this::udev);
        each("/usr/lib/udev/rules.d", this::udev);
        interfaces("/etc/network/interfaces");
        each("/etc/network/interfaces.d", this::interfaces);
        if (image.has("/etc/sysconfig/network-scripts/ifcfg-eth0")) {
            rules.add(new Rule(Kind.ETH0, new Finding.Line("/etc/sysconfig/network-scripts/ifcfg-eth0", "eth0")));
        }
    }

    private void each(String folder, Consumer<String> read) {
        image.names(folder).stream().limit(MOST_FILES).forEach(name -> read.accept(folder + "/" + name));
    }

    Optional<Finding.Line> of(Kind... kinds) {
        return rules.stream().filter(rule -> List.of(kinds).contains(rule.kind)).map(Rule::line).findFirst();
    }

    /** Where NetworkManager is, if it is installed: of its folders, other packages make some for their own files. */
    Optional<Finding.Line> manager() {
        return MANAGER.stream().filter(image::has).findFirst().map(file -> new Finding.Line(file, "is there"));
    }

    private void add(Kind kind, String file, String line) {
        rules.add(new Rule(kind, new Finding.Line(file, line.strip())));
    }

    /** Files that give addresses to what they match. */
    private void addresses(String file) {
        List<String> lines = Texts.lines(image, file).toList();
        if (lines.stream().anyMatch(line -> UNMANAGED.matcher(line).find())) {
            leaves(file);
            return;
        }
        if (lines.stream().noneMatch(line -> ADDRESSES.matcher(line).find())
                || lines.stream().anyMatch(line -> OTHER_KIND.matcher(line).find())) {
            return;
        }
        Kind kind = null;
        String decisive = "";
        for (String line : lines) {
            Kind one = matched(line);
            // of a device's name and driver, the driver says more
            if (one != null && (kind == null || one == Kind.SYNTHETIC || one == Kind.MANA)) {
                kind = one;
                decisive = line;
            }
        }
        if (kind != null) {
            add(kind, file, decisive);
        }
    }

    /** A line of YAML without the dash of a list. */
    private static String entry(String line) {
        String stripped = line.strip();
        return stripped.startsWith("- ") ? stripped.substring(2) : stripped;
    }

    private static Kind matched(String line) {
        Optional<Setting> match = Setting.of(entry(line)).filter(setting -> MATCHED.contains(setting.key()));
        if (match.isPresent()) {
            return switch (match.get().value()) {
                case "hv_netvsc" -> Kind.SYNTHETIC;
                case "mana" -> Kind.MANA;
                case "eth0" -> Kind.ETH0;
                default -> Kind.ANY;
            };
        }
        Matcher id = NETPLAN_ID.matcher(line);
        return id.matches() && id.group(1).equals("eth0") ? Kind.ETH0 : null;
    }

    /** Files that say which devices a manager leaves alone. */
    private void leaves(String file) {
        Texts.lines(image, file).filter(line -> !line.strip().startsWith("#")).filter(line -> line.contains("driver:")
                || line.contains("Driver=") || line.contains("interface-name:"))
                .forEach(line -> leaves(file, line));
    }

    private void leaves(String file, String line) {
        if (MANA.matcher(line).find() || line.contains("hv_pci")) {
            add(Kind.LEAVES_MANA, file, line);
        } else if (SYNTHETIC.matcher(line).find() && !line.contains("except:") && !line.contains("!=")) {
            add(Kind.LEAVES_SYNTHETIC, file, line);
        } else if (line.contains("mlx")) {
            add(Kind.LEAVES_OTHERS, file, line);
        }
    }

    private void udev(String file) {
        Texts.lines(image, file).filter(line -> !line.strip().startsWith("#")).forEach(line -> {
            if (line.contains("ATTR{address}==") && line.contains("NAME=")) {
                add(Kind.NAMES_BY_ADDRESS, file, line);
            } else if (UNMANAGED.matcher(line).find() || line.contains("AZURE_UNMANAGED_SRIOV")) {
                if (SLAVES.matcher(line).find()) {
                    add(Kind.LEAVES_SLAVES, file, line);
                } else {
                    leaves(file, line);
                }
            }
        });
    }

    private void interfaces(String file) {
        Texts.lines(image, file).map(String::strip)
                .filter(line -> line.matches("iface\\s+eth0\\s+inet6?\\s+(?:dhcp|static|auto).*")).findFirst()
                .ifPresent(line -> add(Kind.ETH0, file, line));
    }
}
