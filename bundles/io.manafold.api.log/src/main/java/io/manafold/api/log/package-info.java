/** The running platform's log, for reading and following. */
@Export
@Version("1.0.0")
package io.manafold.api.log;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
