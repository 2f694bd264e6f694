/** What all ways to carry byte streams have in common: all of {@code Sockets} but for what moves the bytes. */
@Export
@Version("2.1.0")
package io.manafold.streams;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
