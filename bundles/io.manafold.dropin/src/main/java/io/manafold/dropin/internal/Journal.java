package io.manafold.dropin.internal;

import io.manafold.api.device.DeviceEvent;

/** Where the watcher tells what it did. */
@FunctionalInterface
interface Journal {
    void tell(DeviceEvent.Kind kind, String sentence);
}
