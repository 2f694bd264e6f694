package io.manafold.gdma.message;

import io.manafold.gdma.Command;

/** Reads whatever request it is. */
public final class Requests {
    private Requests() {
    }

    /**
     * The request in a message.
     *
     * @throws io.manafold.api.refusal.Refusal {@code EPROTO} for a message too short for its command
     */
    public static Request<?> decode(Command command, Message message) {
        return switch (command) {
            case VERIFY_VERSION -> VerifyVersion.decode(message);
            case QUERY_MAX_RESOURCES -> QueryMaxResources.decode(message);
            case LIST_DEVICES -> ListDevices.decode(message);
            case REGISTER_DEVICE -> RegisterDevice.decode(message);
            case DEREGISTER_DEVICE -> DeregisterDevice.decode(message);
            case GENERATE_TEST_EVENT -> GenerateTestEvent.decode(message);
            case CREATE_QUEUE -> CreateQueue.decode(message);
            case DISABLE_QUEUE -> DisableQueue.decode(message);
            case ALLOCATE_RESOURCE_RANGE -> AllocateResourceRange.decode(message);
            case DESTROY_RESOURCE_RANGE -> DestroyResourceRange.decode(message);
            case CREATE_DMA_REGION -> CreateDmaRegion.decode(message);
            case ADD_DMA_REGION_PAGES -> AddDmaRegionPages.decode(message);
            case DESTROY_DMA_REGION -> DestroyDmaRegion.decode(message);
            case CREATE_PD -> CreatePd.decode(message);
            case DESTROY_PD -> DestroyPd.decode(message);
            case CREATE_MR -> CreateMr.decode(message);
            case DESTROY_MR -> DestroyMr.decode(message);
            case QUERY_CHANNEL_TIMEOUT -> QueryChannelTimeout.decode(message);
            case ALLOCATE_DEVICE_MEMORY -> AllocateDeviceMemory.decode(message);
            case DESTROY_DEVICE_MEMORY -> DestroyDeviceMemory.decode(message);
            case QUERY_DEVICE_CONFIG -> QueryDeviceConfig.decode(message);
            case QUERY_STATISTICS -> QueryStatistics.decode(message);
            case CONFIGURE_VPORT_TX -> ConfigureVportTx.decode(message);
            case CREATE_WQ_OBJECT -> CreateWqObject.decode(message);
            case DESTROY_WQ_OBJECT -> DestroyWqObject.decode(message);
            case FENCE_RQ -> FenceRq.decode(message);
            case CONFIGURE_VPORT_RX -> ConfigureVportRx.decode(message);
            case QUERY_VPORT_CONFIG -> QueryVportConfig.decode(message);
            case QUERY_LINK_CONFIG -> QueryLinkConfig.decode(message);
            case SET_BANDWIDTH_CLAMP -> SetBandwidthClamp.decode(message);
            case QUERY_PHY_STATISTICS -> QueryPhyStatistics.decode(message);
            case REGISTER_FILTER -> RegisterFilter.decode(message);
            case DEREGISTER_FILTER -> DeregisterFilter.decode(message);
            case REGISTER_HW_PORT -> RegisterHwPort.decode(message);
            case DEREGISTER_HW_PORT -> DeregisterHwPort.decode(message);
            case QUERY_SHAPER_LIMITS -> QueryShaperLimits.decode(message);
            case SET_SHAPER -> SetShaper.decode(message);
            case DELETE_SHAPER -> DeleteShaper.decode(message);
            case GROUP_SHAPERS -> GroupShapers.decode(message);
            case QUERY_SHAPER_STATISTICS -> QueryShaperStatistics.decode(message);
            case NAME_SHAPER_QUEUES -> NameShaperQueues.decode(message);
            case QUERY_PORT_STATISTICS -> QueryPortStatistics.decode(message);
            case QUERY_RDMA_CAPABILITIES -> QueryRdmaCapabilities.decode(message);
            case CREATE_RDMA_ADAPTER -> CreateRdmaAdapter.decode(message);
            case DESTROY_RDMA_ADAPTER -> DestroyRdmaAdapter.decode(message);
            case CONFIGURE_RDMA_GID -> ConfigureRdmaGid.decode(message);
            case CONFIGURE_RDMA_MAC -> ConfigureRdmaMac.decode(message);
            case CREATE_UD_QP -> CreateUdQp.decode(message);
            case DESTROY_UD_QP -> DestroyUdQp.decode(message);
            case CREATE_RDMA_CQ -> CreateRdmaCq.decode(message);
            case DESTROY_RDMA_CQ -> DestroyRdmaCq.decode(message);
            case CREATE_RC_QP -> CreateRcQp.decode(message);
            case DESTROY_RC_QP -> DestroyRcQp.decode(message);
            case SET_QP_STATE -> SetQpState.decode(message);
            case QUERY_VF_COUNTERS -> QueryVfCounters.decode(message);
            case QUERY_RDMA_COUNTERS -> QueryRdmaCounters.decode(message);
        };
    }
}
