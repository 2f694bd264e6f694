package io.manafold.api.inet;

/**
 * An address and how many of its first bits name the network: {@code 10.77.0.1/24}.
 *
 * @param length 0 to 32, or 0 to 128
 */
public record IpPrefix(IpAddress address, int length) {
    public IpPrefix {
        if (length < 0 || length > address.bits()) {
            throw new IllegalArgumentException("a prefix of " + address + " has 0 to " + address.bits()
                    + " bits, not " + length);
        }
    }

    /** Reads {@code 10.77.0.1/24}; an address alone is a network of one. */
    public static IpPrefix parse(String text) {
        int divide = text.indexOf('/');
        IpAddress address = IpAddress.parse(divide < 0 ? text : text.substring(0, divide));
        if (divide < 0) {
            return new IpPrefix(address, address.bits());
        }
        String length = text.substring(divide + 1);
        if (!length.matches("[0-9]{1,3}")) {
            throw new IllegalArgumentException("'" + length.substring(0, Math.min(length.length(), 16))
                    + "' is not the length of a prefix; write " + address + "/" + (address.isIpv4() ? 24 : 64));
        }
        return new IpPrefix(address, Integer.parseInt(length));
    }

    /** The same network by its first address. */
    public IpPrefix network() {
        return new IpPrefix(masked(false), length);
    }

    /** The last address of the network. */
    public IpAddress last() {
        return masked(true);
    }

    public boolean contains(IpAddress other) {
        return other.version() == address.version() && ((other.high() ^ address.high()) & highMask()) == 0
                && ((other.low() ^ address.low()) & lowMask()) == 0;
    }

    // plain code: what Java would make of a record at its first use costs each start of a platform
    @Override
    public boolean equals(Object other) {
        return other instanceof IpPrefix prefix && prefix.length == length && prefix.address.equals(address);
    }

    @Override
    public int hashCode() {
        return address.hashCode() * 31 + length;
    }

    private IpAddress masked(boolean ones) {
        long all = address.isIpv4() ? 0xffff_ffffL : -1L;
        long high = address.high() & highMask() | (ones && !address.isIpv4() ? ~highMask() : 0);
        long low = address.low() & lowMask() | (ones ? ~lowMask() & all : 0);
        return new IpAddress(address.version(), high, low);
    }

    private long highMask() {
        return address.isIpv4() || length == 0 ? 0 : length >= 64 ? -1L : -1L << 64 - length;
    }

    private long lowMask() {
        if (address.isIpv4()) {
            return length == 0 ? 0 : -1L << 32 - length & 0xffff_ffffL;
        }
        return length <= 64 ? 0 : -1L << 128 - length;
    }

    @Override
    public String toString() {
        return address + "/" + length;
    }
}
