package io.manafold.commands.lab.internal;

import io.manafold.api.fabric.CaptureStatus;
import io.manafold.api.fabric.Link;
import io.manafold.api.inet.DeviceCaptures;
import java.nio.file.Path;
import java.util.List;

/** Where frames can be captured. */
interface CapturePlace {
    String name();

    /** What it is, in a word. */
    String kind();

    void start(Path file, int snap, long count);

    CaptureStatus stop(Path file);

    List<CaptureStatus> captures();

    /** All that enters a link. */
    static CapturePlace of(Link link) {
        return new CapturePlace() {
            @Override
            public String name() {
                return link.name();
            }

            @Override
            public String kind() {
                return "link";
            }

            @Override
            public void start(Path file, int snap, long count) {
                link.startCapture(file, snap, count);
            }

            @Override
            public CaptureStatus stop(Path file) {
                return link.stopCapture(file);
            }

            @Override
            public List<CaptureStatus> captures() {
                return link.captures();
            }
        };
    }

    /** All that passes a network device. */
    static CapturePlace of(String device, DeviceCaptures captures) {
        return new CapturePlace() {
            @Override
            public String name() {
                return device;
            }

            @Override
            public String kind() {
                return "network device";
            }

            @Override
            public void start(Path file, int snap, long count) {
                captures.start(device, file, snap, count);
            }

            @Override
            public CaptureStatus stop(Path file) {
                return captures.stop(device, file);
            }

            @Override
            public List<CaptureStatus> captures() {
                return captures.captures().stream().filter(one -> one.link().equals(device)).toList();
            }
        };
    }
}
