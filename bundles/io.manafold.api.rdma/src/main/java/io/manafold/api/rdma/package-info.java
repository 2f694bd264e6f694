/** RDMA devices as verbs users know them, with lists of work, and connections between them by IP address. */
@Export
@Version("1.2.0")
package io.manafold.api.rdma;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
