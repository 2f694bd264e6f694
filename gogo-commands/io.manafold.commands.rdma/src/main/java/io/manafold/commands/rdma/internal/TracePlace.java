package io.manafold.commands.rdma.internal;

import io.manafold.api.adapter.Adapter;
import io.manafold.api.adapter.RdmaTrace;
import io.manafold.api.rdma.RdmaDevice;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.shell.Missing;
import io.manafold.shell.UsageError;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * Which queue pair is meant: {@code mana_0/65540} of a device of this platform, {@code one/65540} of an adapter,
 * whether it is driven here or lent.
 *
 * @param name of the device or adapter
 * @param number empty for the queue pair that has worked last
 */
record TracePlace(String name, Adapter adapter, OptionalInt number) {
    private static final int MOST_DIGITS = 8;
    private static final int MOST_NUMBER = 0xff_ffff;
    private static final int HEXADECIMAL = 16;

    static TracePlace read(String word, Devices devices, Adapters adapters) {
        int slash = word.indexOf('/');
        String name = slash < 0 ? word : word.substring(0, slash);
        OptionalInt number = slash < 0 ? OptionalInt.empty() : OptionalInt.of(number(word, word.substring(slash + 1)));
        return new TracePlace(name, adapter(name, devices, adapters), number);
    }

    private static int number(String word, String text) {
        boolean hexadecimal = text.startsWith("0x") || text.startsWith("0X");
        String digits = hexadecimal ? text.substring(2) : text;
        int radix = hexadecimal ? HEXADECIMAL : 10;
        // of our letters alone, and without a sign
        boolean isNumber = !digits.isEmpty() && digits.length() <= MOST_DIGITS
                && digits.chars().allMatch(c -> c < 0x80 && Character.digit(c, radix) >= 0);
        long number = isNumber ? Long.parseLong(digits, radix) : -1;
        if (number < 0) {
            throw new UsageError("A queue pair is DEVICE/NUMBER, as in mana_0/65540 or mana_0/0x010004, and not '"
                    + word + "'.");
        }
        if (number > MOST_NUMBER) {
            throw new UsageError("Numbers of queue pairs go to " + MOST_NUMBER + " (24 bits); " + text + " is none.");
        }
        return (int) number;
    }

    private static Adapter adapter(String name, Devices devices, Adapters adapters) {
        Optional<RdmaDevice> device = devices.all().stream().filter(one -> one.name().equals(name)).findFirst();
        if (device.isEmpty()) {
            return adapters.find(name).orElseThrow(() -> missing(name, devices, adapters));
        }
        if (device.get().attributes().part() != Devices.WITH_CONNECTIONS) {
            throw new Refusal(Errno.EOPNOTSUPP, name + " is for raw packets and has no reliable connections; "
                    + "'ibv_devices' shows others, 'capture' records packets.");
        }
        return adapters.of(device.get()).orElseThrow(() -> new Refusal(Errno.EOPNOTSUPP, "The adapter behind " + name
                + " is of another platform, and it is the adapter that remembers; type 'explain qp ADAPTER/NUMBER' "
                + "there."));
    }

    private static Refusal missing(String name, Devices devices, Adapters adapters) {
        List<String> known = new ArrayList<>(devices.all().stream()
                .filter(one -> one.attributes().part() == Devices.WITH_CONNECTIONS).map(RdmaDevice::name).toList());
        adapters.all().forEach(adapter -> known.add(adapter.name()));
        return Missing.named(Errno.ENODEV, "RDMA device or adapter", name, known, "'lab up rdma-pingpong' makes two");
    }

    /** What is remembered of it. */
    RdmaTrace trace(int requests) {
        if (number.isPresent()) {
            return adapter.rdma().trace(number.getAsInt(), requests);
        }
        return used().findFirst().map(last -> adapter.rdma().trace(last.pair().number(), requests))
                .orElseThrow(() -> new Refusal(Errno.ENOENT, "No queue pair with a reliable connection of " + name
                        + " has done anything yet; 'ibv_rc_pingpong' uses some."));
    }

    /** All of which something is remembered, the one that has worked last first. */
    Stream<RdmaTrace> used() {
        return adapter.rdma().traces(0).stream().filter(trace -> trace.last() != null);
    }
}
