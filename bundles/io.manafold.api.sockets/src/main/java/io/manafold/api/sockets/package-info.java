/** TCP connections with registered memory, queues and completions, whatever the peer is. */
@Export
@Version("2.2.0")
package io.manafold.api.sockets;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
