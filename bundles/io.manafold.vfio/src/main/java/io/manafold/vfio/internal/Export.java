package io.manafold.vfio.internal;

import io.manafold.api.device.DeviceEvent.Kind;
import io.manafold.api.vfio.ExportStatus;
import java.nio.file.Path;

/** An entry of the list of exports, for as long as it is configured. Any thread may call. */
public interface Export {
    String name();

    /** The name of the adapter to lend. */
    String adapter();

    Path socket();

    /** How much memory a virtual machine can have mapped. */
    long mostBytes();

    /** The address of the adapter's function, or {@code null} while it is not there. */
    String function();

    /** The address at which the adapter's function is or will be, or {@code null} while there is no such adapter. */
    String expected();

    /** The function's drive has begun. */
    void lent(Lease lease);

    /** The function's drive is over. */
    void returned(Lease lease);

    /** Why the function could not be had, or {@code null} when nothing is wrong any more. */
    void problem(String sentence);

    ExportStatus status();

    /** Tells those who follow the events of the platform. */
    default void tell(Kind kind, String sentence) {
    }
}
