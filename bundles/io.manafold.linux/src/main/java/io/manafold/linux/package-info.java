/** System calls of Linux through foreign functions. */
@Export
@Version("1.4.0")
package io.manafold.linux;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
