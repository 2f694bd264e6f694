package io.manafold.commands.lab.internal;

import io.manafold.api.vfio.ExportStatus;
import io.manafold.shell.UsageError;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** For whom the words are that give a virtual machine a lent function. */
enum GuestDialect {
    QEMU {
        @Override
        String text(ExportStatus export) {
            return QemuLine.of(export.qemuArguments());
        }
    },
    LIBVIRT {
        @Override
        String text(ExportStatus export) {
            StringBuilder text = new StringBuilder("""
                    <!-- for 'virsh edit', inside of <domain>; the user that libvirt runs QEMU as must be able to open the socket -->
                    <memoryBacking>
                      <source type='memfd'/>
                      <access mode='shared'/>
                    </memoryBacking>
                    <qemu:commandline xmlns:qemu='http://libvirt.org/schemas/domain/qemu/1.0'>
                    """);
            for (String argument : devices(export.qemuArguments())) {
                text.append("  <qemu:arg value='").append(escape(argument)).append("'/>\n");
            }
            return text.append("</qemu:commandline>").toString();
        }
    },
    CLOUD_HYPERVISOR {
        @Override
        String text(ExportStatus export) {
            return "cloud-hypervisor --memory size=512M,shared=on \\\n    --user-device "
                    + QemuLine.quote("socket=" + export.socket());
        }
    };

    /** Chassis that libvirt gives to its own ports are low numbers. */
    private static final String CHASSIS = "chassis=1,";
    private static final String OWN_CHASSIS = "chassis=201,";

    static GuestDialect of(String word) {
        return Arrays.stream(values()).filter(one -> one.word().equals(word)).findFirst()
                .orElseThrow(() -> UsageError.unknown("dialect", word, words()));
    }

    static List<String> words() {
        return Arrays.stream(values()).map(GuestDialect::word).toList();
    }

    String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** What is to be pasted. */
    abstract String text(ExportStatus export);

    /** Of QEMU's arguments those that name devices; memory and machine are libvirt's affair. */
    private static List<String> devices(List<String> arguments) {
        List<String> devices = new ArrayList<>();
        for (int i = 0; i + 1 < arguments.size(); i += 2) {
            if (arguments.get(i).equals("-device")) {
                devices.add(arguments.get(i));
                devices.add(arguments.get(i + 1).replace(CHASSIS, OWN_CHASSIS));
            }
        }
        return devices;
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace("'", "&apos;");
    }
}
