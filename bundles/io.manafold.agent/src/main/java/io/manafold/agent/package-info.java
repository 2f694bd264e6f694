/** Threads that work in cycles: they do what is there to do, and rest until they are woken. */
@Export
@Version("2.0.1")
package io.manafold.agent;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
