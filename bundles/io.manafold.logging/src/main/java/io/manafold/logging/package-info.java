/** The lines that were logged last, for whoever shows or keeps them. */
@Export
@Version("1.0.0")
package io.manafold.logging;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
