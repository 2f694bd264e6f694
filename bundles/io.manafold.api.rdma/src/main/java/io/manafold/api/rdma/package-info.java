/** RDMA devices as verbs users know them: protection domains, memory regions, completion queues, queue pairs, and lists of work. */
@Export
@Version("1.0.0")
package io.manafold.api.rdma;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
