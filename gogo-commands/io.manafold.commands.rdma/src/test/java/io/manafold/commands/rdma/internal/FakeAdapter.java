package io.manafold.commands.rdma.internal;

import io.manafold.api.adapter.Adapter;
import io.manafold.api.adapter.ChannelMessage;
import io.manafold.api.adapter.Fault;
import io.manafold.api.adapter.FaultTrace;
import io.manafold.api.adapter.PortStatus;
import io.manafold.api.adapter.Rdma;
import io.manafold.api.adapter.RdmaParameter;
import io.manafold.api.adapter.RdmaStatus;
import io.manafold.api.adapter.RdmaTrace;
import io.manafold.api.adapter.Rejection;
import io.manafold.api.adapter.ScriptedFault;
import io.manafold.api.device.PciAddress;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** An adapter that remembers what it is told to, and does nothing. */
final class FakeAdapter implements Adapter, Rdma {
    final List<RdmaTrace> traces = new ArrayList<>();
    private final String name;
    private final PciAddress address;

    FakeAdapter(String name, String address) {
        this.name = name;
        this.address = PciAddress.parse(address);
    }

    @Override
    public List<RdmaTrace> traces(int requests) {
        return traces.stream().map(trace -> cut(trace, requests)).toList();
    }

    @Override
    public RdmaTrace trace(int number, int requests) {
        return traces.stream().filter(trace -> trace.pair().number() == number).findFirst()
                .map(trace -> cut(trace, requests)).orElseThrow(() -> new Refusal(Errno.ENOENT, "The adapter " + name
                        + " has no queue pair " + number + "."));
    }

    private static RdmaTrace cut(RdmaTrace trace, int requests) {
        int all = trace.requests().size();
        return new RdmaTrace(trace.pair(), trace.ended(), trace.last(),
                trace.requests().subList(Math.max(0, all - requests), all), trace.events());
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public PciAddress address() {
        return address;
    }

    @Override
    public Rdma rdma() {
        return this;
    }

    @Override
    public String firmware() {
        throw new UnsupportedOperationException();
    }

    @Override
    public String shapers() {
        throw new UnsupportedOperationException();
    }

    @Override
    public String state() {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<PortStatus> ports() {
        throw new UnsupportedOperationException();
    }

    @Override
    public Map<String, Long> limits() {
        throw new UnsupportedOperationException();
    }

    @Override
    public Map<String, Long> usage() {
        throw new UnsupportedOperationException();
    }

    @Override
    public long objectBytes() {
        throw new UnsupportedOperationException();
    }

    @Override
    public int vectors() {
        throw new UnsupportedOperationException();
    }

    @Override
    public int armedVectors() {
        throw new UnsupportedOperationException();
    }

    @Override
    public Set<DriverFeature> driverFeatures() {
        return Set.of();
    }

    @Override
    public Optional<String> driverSystem() {
        throw new UnsupportedOperationException();
    }

    @Override
    public long sessions() {
        return 1;
    }

    @Override
    public Optional<ChannelMessage> lastMessage() {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<Rejection> rejections() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void forgetRejections() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void requestReset(ResetKind kind) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void revoke() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void restore() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void restore(int serial) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int serial() {
        throw new UnsupportedOperationException();
    }

    @Override
    public int announced() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void announce() {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean await(Milestone milestone, Duration limit) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void inject(Fault fault) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<Fault> faults() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void play(String script, List<String> lines) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<ScriptedFault> scripted() {
        return List.of();
    }

    @Override
    public List<FaultTrace> faultTraces() {
        return List.of();
    }

    @Override
    public void clearFault(String fault) {
        throw new UnsupportedOperationException();
    }

    @Override
    public String mode() {
        throw new UnsupportedOperationException();
    }

    @Override
    public RdmaStatus status() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void suspend() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void resume() {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<RdmaParameter> parameters() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void set(Map<String, Integer> values) {
        throw new UnsupportedOperationException();
    }
}
