// SPDX-License-Identifier: GPL-2.0
/*
 * A network device that sends nothing and takes every limit: what the kernel itself says about requests can be seen on it,
 * without the rules of a driver.
 */
#include <linux/ethtool.h>
#include <linux/etherdevice.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <net/net_shaper.h>

#define MOST 512

static struct net_device *shaped;

static netdev_tx_t drop(struct sk_buff *skb, struct net_device *dev)
{
	dev_kfree_skb(skb);
	return NETDEV_TX_OK;
}

static int takes_set(struct net_shaper_binding *binding, const struct net_shaper *shaper, struct netlink_ext_ack *extack)
{
	return 0;
}

static int takes_delete(struct net_shaper_binding *binding, const struct net_shaper_handle *handle,
			struct netlink_ext_ack *extack)
{
	return 0;
}

static int takes_group(struct net_shaper_binding *binding, int count, const struct net_shaper *leaves,
		       const struct net_shaper *node, struct netlink_ext_ack *extack)
{
	return 0;
}

static void can_all(struct net_shaper_binding *binding, enum net_shaper_scope scope, unsigned long *flags)
{
	*flags = ULONG_MAX;
}

static const struct net_shaper_ops limits = {
	.group = takes_group,
	.set = takes_set,
	.delete = takes_delete,
	.capabilities = can_all,
};

static const struct net_device_ops ops = {
	.ndo_start_xmit = drop,
	.net_shaper_ops = &limits,
};

static void get_channels(struct net_device *dev, struct ethtool_channels *channels)
{
	channels->max_combined = MOST;
	channels->combined_count = dev->real_num_tx_queues;
}

static int set_channels(struct net_device *dev, struct ethtool_channels *channels)
{
	return netif_set_real_num_queues(dev, channels->combined_count, channels->combined_count);
}

static const struct ethtool_ops tools = {
	.get_channels = get_channels,
	.set_channels = set_channels,
};

static int __init begin(void)
{
	int failed;

	shaped = alloc_etherdev_mqs(0, MOST, MOST);
	if (!shaped)
		return -ENOMEM;
	strscpy(shaped->name, "shaped%d", IFNAMSIZ);
	shaped->netdev_ops = &ops;
	shaped->ethtool_ops = &tools;
	eth_hw_addr_random(shaped);
	failed = register_netdev(shaped);
	if (failed)
		free_netdev(shaped);
	return failed;
}

static void __exit end(void)
{
	unregister_netdev(shaped);
	free_netdev(shaped);
}

module_init(begin);
module_exit(end);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("a network device that takes every limit");
