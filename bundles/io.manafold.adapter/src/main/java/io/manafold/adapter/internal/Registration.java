package io.manafold.adapter.internal;

import io.manafold.adapter.internal.queue.KeyedMemory;
import io.manafold.gdma.DeviceId;
import io.manafold.gdma.Limits;

/** Whether a driver has taken a device of the list, and what that one works with then. Control agent only. */
final class Registration {
    private final FunctionObjects objects;
    private final int page;
    private int pd = Limits.NO_ID;
    private int key;

    /** @param page the doorbell page of the device */
    Registration(FunctionObjects objects, int page) {
        this.objects = objects;
        this.page = page;
    }

    boolean isTaken() {
        return pd != Limits.NO_ID;
    }

    /** The same every time until it is given back. */
    void take(DeviceId device) {
        if (!isTaken()) {
            int domain = objects.domains().create(device, true);
            key = objects.keys().addLocal(domain, KeyedMemory.WHOLE);
            pd = domain;
            objects.pages().use(page);
        }
    }

    void giveBack() {
        if (isTaken()) {
            objects.keys().remove(key);
            objects.domains().forget(pd);
            pd = Limits.NO_ID;
            objects.pages().leave(page);
        }
    }

    /** The protection domain, or −1. */
    int pd() {
        return pd;
    }

    /** The key of all memory of the function. */
    int key() {
        return key;
    }

    int page() {
        return page;
    }
}
