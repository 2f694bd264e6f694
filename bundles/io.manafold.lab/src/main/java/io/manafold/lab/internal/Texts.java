package io.manafold.lab.internal;

import io.manafold.api.adapter.ObjectLimit;
import io.manafold.api.device.PciAddress;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The types whose values are words of a certain form. */
final class Texts {
    private static final int LONGEST_PATH = 4096;

    private Texts() {
    }

    /** A name of something: of an entry, or of a network interface. */
    static ValueType name(int longest) {
        return new Form("a name", "letters, digits, - and _, at most " + longest, "String",
                Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0," + (longest - 1) + "}"));
    }

    /** The name of something that stands in another list of the file. */
    static ValueType reference(String section) {
        return new Reference(section);
    }

    /** A port of an adapter of the file. */
    static ValueType port() {
        return new Port();
    }

    static ValueType choice(String... words) {
        return new Choice(List.of(words));
    }

    static ValueType flag() {
        return new Flag();
    }

    static ValueType path() {
        return new Path();
    }

    static ValueType pciAddress() {
        return new PciAddressText();
    }

    static ValueType mac() {
        return new Mac();
    }

    static ValueType network() {
        return new Network();
    }

    static ValueType addressRange() {
        return new Form("two addresses of IPv4", "the first and the last, as in 10.77.0.100-10.77.0.199", "String",
                Pattern.compile("[0-9]{1,3}(?:\\.[0-9]{1,3}){3}-[0-9]{1,3}(?:\\.[0-9]{1,3}){3}"));
    }

    static ValueType month() {
        return new Form("a year and month", "as in 2026-10", "String",
                Pattern.compile("2[0-9]{3}-(?:0[1-9]|1[0-2])"));
    }

    static ValueType objectLimit() {
        return new Limit();
    }

    static ValueType driver() {
        return new Form("a driver's name, perhaps with a version", "as in ethernet or ethernet 1.0.0", "String",
                Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}(?: [0-9][A-Za-z0-9._-]{0,63})?"));
    }

    static ValueType message() {
        return new Form("the name of a message", "small letters, digits and -, at most 64", "String",
                Pattern.compile("[a-z][a-z0-9-]{0,63}"));
    }

    static ValueType scriptLine() {
        return new Form("a line of a script of faults", "what 'fault script' takes, at most 256 characters", "String",
                Pattern.compile("[ -~]{1,256}"));
    }

    static ValueType status() {
        return new Status();
    }

    private record Form(String label, String allowed, String arrivesAs, Pattern pattern) implements ValueType {
        @Override
        public Object read(String text) throws Unfit {
            if (!pattern.matcher(text).matches()) {
                throw new Unfit("is not " + label + "; allowed is: " + allowed);
            }
            return text;
        }
    }

    record Reference(String section) implements ValueType {
        @Override
        public String label() {
            return "the name of one of the " + section;
        }

        @Override
        public String allowed() {
            return "what stands under " + section;
        }

        @Override
        public String arrivesAs() {
            return "String";
        }

        @Override
        public Object read(String text) {
            return text;
        }
    }

    record Port() implements ValueType {
        static final Pattern PORT = Pattern.compile("([A-Za-z0-9][A-Za-z0-9_-]{0,63})/([1-9][0-9]{0,2})");

        @Override
        public String label() {
            return "a port";
        }

        @Override
        public String allowed() {
            return "adapter/port, ports counted from 1";
        }

        @Override
        public String arrivesAs() {
            return "String";
        }

        @Override
        public Object read(String text) throws Unfit {
            if (!PORT.matcher(text).matches()) {
                throw new Unfit("is not a port; write adapter/port with ports counted from 1, as in one/1");
            }
            return text;
        }
    }

    private record Choice(List<String> words) implements ValueType {
        @Override
        public String label() {
            return "a word";
        }

        @Override
        public String allowed() {
            return String.join(", ", words);
        }

        @Override
        public String arrivesAs() {
            return "String";
        }

        @Override
        public Object read(String text) throws Unfit {
            if (!words.contains(text)) {
                throw new Unfit("is none of " + allowed() + "; nearest is '" + Words.nearest(text, words) + "'");
            }
            return text;
        }
    }

    private record Flag() implements ValueType {
        @Override
        public String label() {
            return "true or false";
        }

        @Override
        public String allowed() {
            return "true, false";
        }

        @Override
        public String arrivesAs() {
            return "Boolean";
        }

        @Override
        public boolean isText() {
            return false;
        }

        @Override
        public Object read(String text) throws Unfit {
            return switch (text) {
                case "true" -> Boolean.TRUE;
                case "false" -> Boolean.FALSE;
                default -> throw new Unfit("is neither true nor false");
            };
        }
    }

    private record Limit() implements ValueType {
        @Override
        public String label() {
            return "a limit";
        }

        @Override
        public String allowed() {
            return Stream.of(ObjectLimit.values())
                    .map(limit -> limit.label() + "=" + limit.least() + " to " + limit.most())
                    .collect(Collectors.joining(", "));
        }

        @Override
        public String arrivesAs() {
            return "String";
        }

        @Override
        public Object read(String text) throws Unfit {
            try {
                ObjectLimit.parse(text);
                return text;
            } catch (IllegalArgumentException wrong) {
                throw new Unfit("is not a limit: " + wrong.getMessage());
            }
        }
    }

    private record Path() implements ValueType {
        @Override
        public String label() {
            return "a file";
        }

        @Override
        public String allowed() {
            return "a path, at most " + LONGEST_PATH + " characters";
        }

        @Override
        public String arrivesAs() {
            return "String";
        }

        @Override
        public Object read(String text) throws Unfit {
            if (text.isBlank()) {
                throw new Unfit("is not a path");
            }
            if (text.length() > LONGEST_PATH) {
                throw new Unfit("is longer than " + LONGEST_PATH + " characters");
            }
            if (text.chars().anyMatch(c -> c < ' ' || c == 0x7f)) {
                throw new Unfit("has control characters in it, which a path here must not have");
            }
            return text;
        }
    }

    private record PciAddressText() implements ValueType {
        @Override
        public String label() {
            return "a PCI address";
        }

        @Override
        public String allowed() {
            return "domain:bus:device.function";
        }

        @Override
        public String arrivesAs() {
            return "String";
        }

        @Override
        public Object read(String text) throws Unfit {
            try {
                return PciAddress.parse(text).toString();
            } catch (IllegalArgumentException e) {
                throw new Unfit("is not a PCI address; write domain:bus:device.function with a bus up to ff, "
                        + "a device up to 1f and a function up to 7, as in 7870:00:00.0");
            }
        }
    }

    private record Mac() implements ValueType {
        private static final Pattern MAC = Pattern.compile("[0-9a-fA-F]{2}(?::[0-9a-fA-F]{2}){5}");

        @Override
        public String label() {
            return "a MAC address";
        }

        @Override
        public String allowed() {
            return "six bytes, of one station";
        }

        @Override
        public String arrivesAs() {
            return "String";
        }

        @Override
        public Object read(String text) throws Unfit {
            if (!MAC.matcher(text).matches()) {
                throw new Unfit("is not a MAC address; write six bytes, as in 00:0d:3a:00:00:01");
            }
            if (text.equals("00:00:00:00:00:00") || (Integer.parseInt(text.substring(0, 2), 16) & 1) != 0) {
                throw new Unfit("is not the address of one station; the first byte is even, and not all are zero");
            }
            return text.toLowerCase(Locale.ROOT);
        }
    }

    private record Network() implements ValueType {
        private static final Pattern FOUR = Pattern.compile("((?:[0-9]{1,3}\\.){3}[0-9]{1,3})/([0-9]{1,3})");
        private static final Pattern SIX = Pattern.compile("([0-9a-fA-F:.]{2,45})/([0-9]{1,3})");

        @Override
        public String label() {
            return "an address with its prefix length";
        }

        @Override
        public String allowed() {
            return "IPv4 with /0 to /32, IPv6 with /0 to /128";
        }

        @Override
        public String arrivesAs() {
            return "String";
        }

        @Override
        public Object read(String text) throws Unfit {
            Matcher four = FOUR.matcher(text);
            Matcher six = SIX.matcher(text);
            try {
                if (four.matches() && Integer.parseInt(four.group(2)) <= 32) {
                    String address = Inet4Address.ofLiteral(four.group(1)).getHostAddress();
                    return address + "/" + Integer.parseInt(four.group(2));
                }
                if (six.matches() && six.group(1).contains(":") && Integer.parseInt(six.group(2)) <= 128) {
                    Inet6Address.ofLiteral(six.group(1));
                    return six.group(1).toLowerCase(Locale.ROOT) + "/" + Integer.parseInt(six.group(2));
                }
            } catch (IllegalArgumentException e) {
                // falls through to the sentence below, which says more than the library's
            }
            throw new Unfit("is not an address with its prefix length; write 10.77.0.1/24 or fd77::1/64");
        }
    }

    private record Status() implements ValueType {
        private static final Pattern HEX = Pattern.compile("0[xX]0{0,40}([0-9a-fA-F]{1,8})");

        @Override
        public String label() {
            return "a status";
        }

        @Override
        public String allowed() {
            return "0x0 to 0xffffffff";
        }

        @Override
        public String arrivesAs() {
            return "Long";
        }

        @Override
        public Object read(String text) throws Unfit {
            Matcher hex = HEX.matcher(text);
            if (!hex.matches()) {
                throw new Unfit("is not a status; write up to 32 bits in hexadecimal, as in 0xc00000bb");
            }
            return Long.parseLong(hex.group(1), 16);
        }

        @Override
        public String show(Object value) {
            return value instanceof Long status ? "0x" + Long.toHexString(status) : String.valueOf(value);
        }
    }
}
