package io.manafold.doctor.internal.linux;

import io.manafold.api.doctor.Binary;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.OptionalInt;

/** The number by which a kernel's RDMA driver and a library's provider know each other, read from files. */
public final class DriverIds {
    /** What MANA has in the kernel's list. */
    public static final int MANA = 20;
    private static final List<String> NAMES = List.of("unknown", "mlx5", "mlx4", "cxgb3", "cxgb4", "mthca", "bnxt_re",
            "ocrdma", "nes", "irdma", "vmw_pvrdma", "qedr", "hns", "usnic", "rxe", "hfi1", "qib", "efa", "siw", "erdma",
            "mana", "ionic");
    private static final String OPERATIONS = "mana_ib_dev_ops";
    /** Behind the owner: what the kernel's structure begins with. */
    private static final int NUMBER_AT = 8;
    private static final int VERSION_AT = 12;
    private static final int MOST = 4096;
    private static final int BY_NUMBER = 3;
    private static final int ENTRY = 24;

    private DriverIds() {
    }

    /** Whose number it is, in words. */
    public static String name(int number) {
        return number >= 0 && number < NAMES.size() ? NAMES.get(number) : "nobody";
    }

    /** The number of MANA's module. */
    public static OptionalInt ofModule(Binary module) {
        return word(module, NUMBER_AT);
    }

    /** The version of the interface behind it. */
    public static OptionalInt versionOfModule(Binary module) {
        return word(module, VERSION_AT);
    }

    private static OptionalInt word(Binary module, int at) {
        return module.object(OPERATIONS).filter(object -> object.limit() >= at + 4)
                .map(object -> OptionalInt.of(object.getInt(at)))
                .orElse(OptionalInt.empty());
    }

    /**
     * The number in the match table of a provider: an entry of nothing, the number, no vendor, no device and the kind
     * of match that is by number.
     */
    public static OptionalInt ofProvider(Binary library) {
        for (ByteBuffer data : library.data()) {
            for (int at = 0; at <= data.limit() - ENTRY; at += 8) {
                long number = data.getLong(at + 8);
                if (number > 0 && number < MOST && data.getLong(at) == 0 && data.getInt(at + 16) == 0
                        && data.getInt(at + 20) == BY_NUMBER) {
                    return OptionalInt.of((int) number);
                }
            }
        }
        return OptionalInt.empty();
    }
}
