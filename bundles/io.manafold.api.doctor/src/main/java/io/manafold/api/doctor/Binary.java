package io.manafold.api.doctor;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.osgi.annotation.versioning.ProviderType;

/** An ELF file: a kernel module or a library. Buffers are views that have the file's byte order. */
@ProviderType
public interface Binary {
    /** The contents of a data object by the name of its symbol. */
    Optional<ByteBuffer> object(String symbol);

    /** The contents of a section: {@code .modinfo}. */
    Optional<ByteBuffer> section(String name);

    /** The contents of all sections with data that are there when the file is loaded and hold no instructions. */
    List<ByteBuffer> data();
}
