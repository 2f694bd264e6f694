package io.manafold.lab.internal;

import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The types whose values are numbers, with and without a unit. */
final class Numbers {
    private static final Pattern WHOLE = Pattern.compile("[+-]?[0-9]{1,100}");
    private static final Pattern WITH_UNIT = Pattern.compile("([0-9]{1,30}(?:\\.[0-9]{1,30})?)\\s?([a-zA-Z%]*)");
    private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);

    private Numbers() {
    }

    /** A whole number that fits an {@code Integer}. */
    static ValueType integer(int least, int most) {
        return new Whole(least, most, "Integer");
    }

    /** A whole number that needs a {@code Long}. */
    static ValueType large(long least, long most) {
        return new Whole(least, most, "Long");
    }

    static ValueType rate(String least, String most) {
        return new Measure("a rate", "Long, bit/s", Measure.RATES, least, most);
    }

    /** A rate, or packets in a second, which are an {@code Integer}. */
    static ValueType limit(String least, String most) {
        return new Limit(new Measure("a rate", "Long, bit/s", Measure.RATES, least, most),
                new Measure("a number of packets", "", Measure.PACKETS, "1pps", "2000mpps"));
    }

    static ValueType duration(String least, String most) {
        return new Measure("a time", "Long, ns", Measure.TIMES, least, most);
    }

    static ValueType size(String least, String most) {
        return new Measure("a size", "Long, bytes", Measure.SIZES, least, most);
    }

    static ValueType percent() {
        return new Percent();
    }

    private record Whole(long least, long most, String arrivesAs) implements ValueType {
        @Override
        public String label() {
            return "a whole number";
        }

        @Override
        public String allowed() {
            return least + " to " + most;
        }

        @Override
        public boolean isText() {
            return false;
        }

        @Override
        public Object read(String text) throws Unfit {
            if (!WHOLE.matcher(text).matches()) {
                throw new Unfit("is not a whole number; allowed is " + allowed());
            }
            BigDecimal number = new BigDecimal(text);
            if (number.compareTo(BigDecimal.valueOf(least)) < 0 || number.compareTo(BigDecimal.valueOf(most)) > 0) {
                throw new Unfit("is not within " + allowed());
            }
            return arrivesAs.equals("Integer") ? (Object) number.intValueExact() : (Object) number.longValueExact();
        }
    }

    /** A unit and how many of the smallest one it is. */
    private record Unit(String name, long size) {
    }

    /** A number with a unit, kept as a count of the smallest unit. */
    private record Measure(String label, String arrivesAs, List<Unit> units, String least, String most)
            implements ValueType {
        private static final List<Unit> RATES = List.of(new Unit("bit", 1), new Unit("kbit", 1_000),
                new Unit("mbit", 1_000_000), new Unit("gbit", 1_000_000_000), new Unit("tbit", 1_000_000_000_000L));
        private static final List<Unit> PACKETS = List.of(new Unit("pps", 1), new Unit("kpps", 1_000),
                new Unit("mpps", 1_000_000));
        private static final List<Unit> SIZES = List.of(new Unit("b", 1), new Unit("kib", 1L << 10),
                new Unit("mib", 1L << 20), new Unit("gib", 1L << 30), new Unit("tib", 1L << 40));
        private static final List<Unit> TIMES = List.of(new Unit("ns", 1), new Unit("us", 1_000),
                new Unit("ms", 1_000_000), new Unit("s", 1_000_000_000));

        @Override
        public String allowed() {
            return least + " to " + most;
        }

        @Override
        public Object read(String text) throws Unfit {
            BigDecimal count = count(text);
            if (count.compareTo(count(least)) < 0 || count.compareTo(count(most)) > 0) {
                throw new Unfit("is not within " + allowed());
            }
            if (count.stripTrailingZeros().scale() > 0) {
                throw new Unfit("is not a whole number of " + units.getFirst().name());
            }
            return count.longValueExact();
        }

        private BigDecimal count(String text) throws Unfit {
            Matcher parts = WITH_UNIT.matcher(text);
            if (parts.matches()) {
                if (parts.group(2).isEmpty() && new BigDecimal(parts.group(1)).signum() == 0) {
                    return BigDecimal.ZERO;
                }
                for (Unit unit : units) {
                    if (unit.name().equalsIgnoreCase(parts.group(2))) {
                        return new BigDecimal(parts.group(1)).multiply(BigDecimal.valueOf(unit.size()));
                    }
                }
            }
            throw new Unfit("is not " + label + "; write a number with one of the units "
                    + String.join(", ", units.stream().map(Unit::name).toList()));
        }

        @Override
        public String show(Object value) {
            if (!(value instanceof Long count) || count == 0) {
                return String.valueOf(value);
            }
            Unit best = units.getFirst();
            for (Unit unit : units) {
                best = count % unit.size() == 0 ? unit : best;
            }
            return count / best.size() + best.name();
        }
    }

    /** One of two measures; the class of the value tells which. */
    private record Limit(Measure rate, Measure packets) implements ValueType {
        @Override
        public String label() {
            return "a rate";
        }

        @Override
        public String allowed() {
            return rate.allowed() + ", or " + packets.allowed();
        }

        @Override
        public String arrivesAs() {
            return "Long, bit/s, or Integer, packets/s";
        }

        @Override
        public Object read(String text) throws Unfit {
            return text.toLowerCase(Locale.ROOT).endsWith("pps") ? (Object) ((Long) packets.read(text)).intValue()
                    : rate.read(text);
        }

        @Override
        public String show(Object value) {
            return value instanceof Integer count ? packets.show(count.longValue()) : rate.show(value);
        }
    }

    private record Percent() implements ValueType {
        @Override
        public String label() {
            return "a share";
        }

        @Override
        public String allowed() {
            return "0% to 100%";
        }

        @Override
        public String arrivesAs() {
            return "Double, percent";
        }

        @Override
        public Object read(String text) throws Unfit {
            Matcher parts = WITH_UNIT.matcher(text);
            boolean bareZero = text.equals("0");
            if (!parts.matches() || !(parts.group(2).equals("%") || bareZero)) {
                throw new Unfit("is not a share; write percent, as in 0.5%");
            }
            BigDecimal share = new BigDecimal(parts.group(1));
            if (share.compareTo(HUNDRED) > 0) {
                throw new Unfit("is not within " + allowed());
            }
            return share.doubleValue();
        }

        @Override
        public String show(Object value) {
            return value instanceof Double share ? BigDecimal.valueOf(share).stripTrailingZeros().toPlainString() + "%"
                    : String.valueOf(value);
        }
    }
}
