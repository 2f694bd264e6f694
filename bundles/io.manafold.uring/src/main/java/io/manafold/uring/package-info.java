/** The kernel's rings: set-up, requests, completions, registered memory. Knows neither sockets nor services. */
@Export
@Version("1.2.0")
package io.manafold.uring;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
