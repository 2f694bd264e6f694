package io.manafold.api.shaper;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.osgi.annotation.versioning.ProviderType;

/**
 * The family of operations on shapers, in one of the places where it is spoken: this platform, or a kernel. Attributes
 * are maps by the family's names, as in its JSON: numbers are {@link Long}, enumerations words, flags {@link Boolean},
 * nests maps, repeated attributes lists.
 */
@ProviderType
public interface Shapers {
    /** Where: {@code platform}, {@code host}, or the path of a socket. */
    String place();

    /** The operations, in the order of their description. */
    List<? extends ShaperOperation> operations();

    /** The names of the devices that are there. */
    List<String> devices();

    /** Whether a device of this name is there. */
    boolean has(String device);

    /** The number of a device. @throws io.manafold.api.refusal.Refusal {@code ENODEV} if there is none of that name */
    int index(String device);

    /**
     * Carries an operation out.
     *
     * @return the reply's attributes, empty if there is only an acknowledgement
     * @throws io.manafold.api.refusal.Refusal with the errno and the sentence of the driver or kernel that refused, and
     *     the attribute at fault
     */
    Map<String, Object> perform(String operation, Map<String, Object> attributes);

    /** All replies of a dump. */
    List<Map<String, Object>> dump(String operation, Map<String, Object> attributes);

    /**
     * What the driver would be told by an operation that changes something, call by call; nothing is changed.
     *
     * @throws io.manafold.api.refusal.Refusal as {@link #perform} would, and {@code EOPNOTSUPP} where the place cannot
     *     say
     */
    List<ShaperCall> plan(String operation, Map<String, Object> attributes);

    /** What the shapers of a device have done; empty where the place does not count. */
    List<ShaperStatus> status(String device);

    /**
     * Tells of every shaper that becomes another, in order, on a thread for this.
     *
     * @throws io.manafold.api.refusal.Refusal {@code EOPNOTSUPP} where the place does not tell
     */
    AutoCloseable watch(Consumer<ShaperEvent> listener);
}
