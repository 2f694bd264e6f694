/** The program testpmd: started from words, answers lines, has text for people and figures for programs. */
@Export
@Version("1.3.0")
package io.manafold.api.testpmd;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
