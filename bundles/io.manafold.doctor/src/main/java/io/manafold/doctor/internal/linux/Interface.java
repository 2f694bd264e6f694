package io.manafold.doctor.internal.linux;

import java.util.Locale;

/** A network interface. */
public record Interface(Machine.Line line) {
    private static final int UP = 1;
    private static final int LONGEST_NAME = 15;

    public String name() {
        return line.name();
    }

    /** Whether Linux lets an interface be called so. */
    boolean hasPossibleName() {
        String name = name();
        return name.length() <= LONGEST_NAME && !name.equals(".") && !name.equals("..")
                && name.chars().noneMatch(c -> c == '/' || c == ':' || Character.isISOControl(c));
    }

    public String mac() {
        return line.get("mac").toLowerCase(Locale.ROOT);
    }

    public String driver() {
        return line.get("driver");
    }

    /** The PCI function, or what else it is a device of. */
    public String device() {
        return line.get("device");
    }

    /** The interface above it, or empty. */
    public String master() {
        return line.get("master");
    }

    /** The number of its port from 0. */
    public int port() {
        return number("dev_port", 0);
    }

    public int mtu() {
        return number("mtu", 0);
    }

    public boolean isPort() {
        return driver().equals("mana");
    }

    public boolean isSynthetic() {
        return driver().equals("hv_netvsc");
    }

    /** Whether an administrator has it up. */
    public boolean isUp() {
        return (number("flags", 0) & UP) != 0;
    }

    private int number(String key, int otherwise) {
        try {
            return line.get(key).isEmpty() ? otherwise : Integer.decode(line.get(key));
        } catch (NumberFormatException e) {
            return otherwise;
        }
    }
}
