package io.manafold.itests.shaper;

import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.manafold.itests.OneFramework;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/**
 * The cases of the kernel's tests of shapers, by their names there, with our driver and adapter and while frames
 * travel. After each of them the adapter holds what is listed, and then nothing.
 */
@OneFramework
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class ShaperCasesTest extends ShapersOnAWire {
    private static final int QUEUES = 4;

    ShaperCasesTest() {
        super("full");
    }

    private DynamicTest of(String name, Runnable steps) {
        return dynamicTest(name, () -> {
            on.device().setChannels(QUEUES);
            try {
                steps.run();
                on.assertHeldByTheAdapter();
            } finally {
                on.clear();
            }
            wire.flows("after " + name);
        });
    }

    @TestFactory
    Stream<DynamicTest> cases() {
        SingleCases single = new SingleCases(on);
        GroupCases group = new GroupCases(on);
        return Stream.of(
                of("get_shapers", single::nothingAtFirst),
                of("get_caps", single::capabilities),
                of("set_qshapers", single::setQueues),
                of("del_qshapers", single::deleteQueues),
                of("set_nshapers", single::setDevice),
                of("del_nshapers", single::deleteDevice),
                of("set_all_supported_attrs", single::allAttributes),
                of("invalid_set_preserves_state", single::refusedSetChangesNothing),
                of("mixed_parent_group_requires_parent", group::mixedParentsNeedOne),
                of("recursive_empty_node_cleanup", group::emptyNodesGo),
                of("basic_groups", group::onDevice),
                of("basic_groups_with_rate", group::onDeviceWithRate),
                of("qgroups", group::ofQueues),
                of("set_node_shaper", group::setNode),
                of("group_update_rate", group::regroupChangesTheNode),
                of("delegation", group::delegation),
                of("nested_depth_limit", group::depth),
                of("nested_depth_limit, the adapter's own", group::depthHasAnEnd),
                of("delete_child_reparent", group::deletedChildHandsItsQueueUp),
                of("move_queue_between_nodes", group::queueMoves),
                of("reject_reparenting", group::nodesStayWhereTheyAre),
                of("dup_leaves", group::leavesAreNamedOnce),
                of("queue_update", single::fewerQueues));
    }
}
