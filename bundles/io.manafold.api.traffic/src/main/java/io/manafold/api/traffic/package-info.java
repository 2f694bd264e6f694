/** Generated traffic and what became of it. */
@Export
@Version("1.4.0")
package io.manafold.api.traffic;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
