/*
 * What RDMA lets a process do to memory, and which kinds of it there are: tried on mana_0 with pairs of queue pairs that are
 * connected with each other. It tells what became of each try in a line "RESULT name what".
 *
 *   verbs-tenant keys | kinds | large MEBIBYTES
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <infiniband/verbs.h>

enum { PORT = 1, IPV4 = 1, BYTES = 8192, MESSAGE = 3000, SECONDS = 60 };
enum { ALL = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ };

/* A tenant: two of them have opened the device each for itself. */
struct tenant {
    struct ibv_context *device;
    struct ibv_pd *pd;
};

/* An end of a connection, with memory of its own. */
struct end {
    struct ibv_cq *cq;
    struct ibv_qp *qp;
};

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

static struct tenant open_tenant(void)
{
    struct ibv_device **all = ibv_get_device_list(NULL);
    for (int i = 0; all && all[i]; i++) {
        if (strcmp(ibv_get_device_name(all[i]), "mana_0") == 0) {
            struct tenant made = { .device = ibv_open_device(all[i]) };
            if (!made.device || !(made.pd = ibv_alloc_pd(made.device)))
                fail("mana_0");
            ibv_free_device_list(all);
            return made;
        }
    }
    errno = ENODEV;
    fail("mana_0");
    abort();
}

static struct ibv_mr *registered(struct tenant *t, void *at, size_t length, int access)
{
    struct ibv_mr *made = ibv_reg_mr(t->pd, at, length, access);
    if (!made)
        fail("ibv_reg_mr");
    return made;
}

static struct end new_end(struct tenant *t)
{
    struct end made = { .cq = ibv_create_cq(t->device, 16, NULL, NULL, 0) };
    struct ibv_qp_init_attr wanted = {
        .send_cq = made.cq, .recv_cq = made.cq, .qp_type = IBV_QPT_RC, .sq_sig_all = 1,
        .cap = { .max_send_wr = 8, .max_recv_wr = 8, .max_send_sge = 1, .max_recv_sge = 1 },
    };
    if (!made.cq || !(made.qp = ibv_create_qp(t->pd, &wanted)))
        fail("a queue pair");
    return made;
}

static void drop(struct end *e)
{
    if (ibv_destroy_qp(e->qp) || ibv_destroy_cq(e->cq))
        fail("the end of a queue pair");
}

static void connect_to(struct tenant *t, struct end *e, uint32_t peer, int access)
{
    struct ibv_qp_attr a = { .qp_state = IBV_QPS_INIT, .port_num = PORT, .qp_access_flags = access };
    if (ibv_modify_qp(e->qp, &a, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS))
        fail("INIT");
    a = (struct ibv_qp_attr) {
        .qp_state = IBV_QPS_RTR, .path_mtu = IBV_MTU_1024, .dest_qp_num = peer, .rq_psn = 77, .max_dest_rd_atomic = 4,
        .min_rnr_timer = 12, .ah_attr = { .is_global = 1, .port_num = PORT, .grh = { .sgid_index = IPV4, .hop_limit = 64 } },
    };
    if (ibv_query_gid(t->device, PORT, IPV4, &a.ah_attr.grh.dgid))
        fail("the address");
    if (ibv_modify_qp(e->qp, &a, IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
                      IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER))
        fail("RTR");
    a = (struct ibv_qp_attr) { .qp_state = IBV_QPS_RTS, .sq_psn = 77, .timeout = 14, .retry_cnt = 7, .rnr_retry = 7,
                               .max_rd_atomic = 4 };
    if (ibv_modify_qp(e->qp, &a, IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN |
                      IBV_QP_MAX_QP_RD_ATOMIC))
        fail("RTS");
}

/* What became of the oldest request of an end. */
static const char *outcome(struct end *e)
{
    struct ibv_wc wc;
    time_t until = time(NULL) + SECONDS;
    int found;
    while ((found = ibv_poll_cq(e->cq, 1, &wc)) == 0 && time(NULL) < until)
        ;
    return found == 1 ? ibv_wc_status_str(wc.status) : found == 0 ? "no completion" : "a broken queue";
}

static struct tenant us, others;
static unsigned char here[2 * BYTES], there[3 * BYTES];

static int is_only(const unsigned char *at, size_t length, unsigned char value)
{
    for (size_t i = 0; i < length; i++)
        if (at[i] != value)
            return 0;
    return 1;
}

/* One request over a connection of its own; tells how it ended and whether memory is another. */
static void try(const char *name, struct ibv_send_wr *wr, struct ibv_sge *into, int access)
{
    struct end asking = new_end(&us), asked = new_end(&us);
    struct ibv_send_wr *bad;
    const char *theirs = NULL;
    connect_to(&us, &asked, asking.qp->qp_num, access);
    connect_to(&us, &asking, asked.qp->qp_num, 0);
    memset(here, 1, sizeof here);
    memset(there, 2, sizeof there);
    if (into) {
        struct ibv_recv_wr receive = { .sg_list = into, .num_sge = 1 }, *refused;
        if (ibv_post_recv(asked.qp, &receive, &refused))
            fail("ibv_post_recv");
    }
    int posted = ibv_post_send(asking.qp, wr, &bad);
    const char *ours = posted ? strerror(posted) : outcome(&asking);
    /* where nothing arrives, the other end is not told of anything */
    if (into && !posted && strcmp(ours, ibv_wc_status_str(IBV_WC_LOC_PROT_ERR)) != 0)
        theirs = outcome(&asked);
    int same = is_only(here, sizeof here, 1) && is_only(there, sizeof there, 2);
    printf("RESULT %s %s%s%s, %s\n", name, ours, theirs ? ", " : "", theirs ? theirs : "", same ? "unchanged" : "changed");
    drop(&asking);
    drop(&asked);
}

/* A write to and a read from this address with this key. */
static void reach(const char *name, struct ibv_mr *ours, uint64_t address, uint32_t key, int access)
{
    struct ibv_sge piece = { .addr = (uintptr_t)here, .length = MESSAGE, .lkey = ours->lkey };
    struct ibv_send_wr wr = { .sg_list = &piece, .num_sge = 1, .wr.rdma = { .remote_addr = address, .rkey = key } };
    char full[64];
    wr.opcode = IBV_WR_RDMA_WRITE;
    snprintf(full, sizeof full, "write-%s", name);
    try(full, &wr, NULL, access);
    wr.opcode = IBV_WR_RDMA_READ;
    snprintf(full, sizeof full, "read-%s", name);
    try(full, &wr, NULL, access);
}

/* A message from and into memory by these keys. */
static void hand_over(const char *name, uint32_t from, uint32_t to)
{
    struct ibv_sge piece = { .addr = (uintptr_t)here, .length = MESSAGE, .lkey = from };
    struct ibv_sge room = { .addr = (uintptr_t)there + BYTES, .length = BYTES, .lkey = to };
    struct ibv_send_wr wr = { .sg_list = &piece, .num_sge = 1, .opcode = IBV_WR_SEND };
    try(name, &wr, &room, ALL);
}

static void keys(void)
{
    struct ibv_mr *mine = registered(&us, here, sizeof here, ALL);
    struct ibv_mr *target = registered(&us, there + BYTES, BYTES, ALL);
    struct ibv_mr *unshared = registered(&us, there + BYTES, BYTES, IBV_ACCESS_LOCAL_WRITE);
    struct ibv_mr *constant = registered(&us, there + BYTES, BYTES, 0);
    struct ibv_mr *foreign = registered(&others, there, sizeof there, ALL);
    struct ibv_mr *foreign_here = registered(&others, here, sizeof here, ALL);
    uint64_t at = (uintptr_t)there + BYTES;

    struct ibv_mr *gone = registered(&us, there + BYTES, BYTES, ALL);
    uint32_t gone_key = gone->rkey, gone_local = gone->lkey;
    if (ibv_dereg_mr(gone))
        fail("ibv_dereg_mr");

    struct ibv_mw *window = ibv_alloc_mw(us.pd, IBV_MW_TYPE_2);
    if (!window)
        fail("ibv_alloc_mw");

    reach("right-key", mine, at, target->rkey, ALL);
    reach("to-the-end", mine, at + BYTES - MESSAGE, target->rkey, ALL);
    reach("other-key", mine, at, target->rkey ^ 0x40000000, ALL);
    reach("other-generation", mine, at, target->rkey ^ 1, ALL);
    reach("no-key", mine, at, 0, ALL);
    reach("foreign-domain", mine, at, foreign->rkey, ALL);
    reach("deregistered", mine, at, gone_key, ALL);
    reach("beyond-the-end", mine, at + BYTES - MESSAGE + 1, target->rkey, ALL);
    reach("before-the-start", mine, at - 1, target->rkey, ALL);
    reach("around-the-world", mine, UINT64_MAX - 100, target->rkey, ALL);
    reach("window-that-nothing-binds", mine, at, window->rkey, ALL);
    if (ibv_dealloc_mw(window))
        fail("ibv_dealloc_mw");
    reach("unshared-region", mine, at, unshared->rkey, ALL);
    reach("unshared-queue-pair", mine, at, target->rkey, IBV_ACCESS_LOCAL_WRITE);

    hand_over("message", mine->lkey, target->lkey);
    hand_over("message-from-other-key", mine->lkey ^ 0x40000000, target->lkey);
    hand_over("message-from-foreign-domain", foreign_here->lkey, target->lkey);
    hand_over("message-from-deregistered", gone_local, target->lkey);
    hand_over("message-into-foreign-domain", mine->lkey, foreign->lkey);
    hand_over("message-into-deregistered", mine->lkey, gone_local);
    hand_over("message-into-constant", mine->lkey, constant->lkey);
}

/* What the device has not: each is asked for and refused, by the kernel, by the library or by the device. */
static void kinds(void)
{
    struct ibv_mr *mine = registered(&us, here, sizeof here, ALL);
    struct ibv_mr *target = registered(&us, there, sizeof there, ALL);
    struct { const char *name; enum ibv_qp_type type; } types[] = {
        { "datagrams", IBV_QPT_UD }, { "unreliable-connection", IBV_QPT_UC }, { "raw-packets", IBV_QPT_RAW_PACKET },
    };
    struct ibv_cq *cq = ibv_create_cq(us.device, 16, NULL, NULL, 0);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        struct ibv_qp_init_attr wanted = { .send_cq = cq, .recv_cq = cq, .qp_type = types[i].type,
            .cap = { .max_send_wr = 8, .max_recv_wr = 8, .max_send_sge = 1, .max_recv_sge = 1 } };
        errno = 0;
        printf("RESULT %s %s\n", types[i].name, ibv_create_qp(us.pd, &wanted) ? "made" : strerror(errno));
    }
    struct ibv_srq_init_attr shared = { .attr = { .max_wr = 8, .max_sge = 1 } };
    errno = 0;
    printf("RESULT shared-receives %s\n", ibv_create_srq(us.pd, &shared) ? "made" : strerror(errno));
    struct ibv_alloc_dm_attr on_device = { .length = 4096 };
    errno = 0;
    printf("RESULT device-memory %s\n", ibv_alloc_dm(us.device, &on_device) ? "made" : strerror(errno));
    int resized = ibv_resize_cq(cq, 64);
    printf("RESULT resized-completions %s\n", resized == 0 ? "made" : strerror(resized < 0 ? errno : resized));

    struct ibv_sge piece = { .addr = (uintptr_t)here, .length = 8, .lkey = mine->lkey };
    struct ibv_send_wr wr = { .sg_list = &piece, .num_sge = 1, .opcode = IBV_WR_ATOMIC_FETCH_AND_ADD,
        .wr.atomic = { .remote_addr = (uintptr_t)there, .compare_add = 1, .rkey = target->rkey } };
    try("fetch-and-add", &wr, NULL, ALL);
    wr.opcode = IBV_WR_ATOMIC_CMP_AND_SWP;
    try("compare-and-swap", &wr, NULL, ALL);
    /* the library takes the flag and forgets it: the key, which need not be one, decides */
    piece.lkey = 0;
    wr = (struct ibv_send_wr) { .sg_list = &piece, .num_sge = 1, .opcode = IBV_WR_RDMA_WRITE, .send_flags = IBV_SEND_INLINE,
        .wr.rdma = { .remote_addr = (uintptr_t)there, .rkey = target->rkey } };
    try("inline", &wr, NULL, ALL);
}

/* A large region: a message from its start to its end arrives there. */
static void large(size_t bytes)
{
    unsigned char *all = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED)
        fail("memory");
    struct ibv_mr *mr = registered(&us, all, bytes, ALL);
    struct end asking = new_end(&us), asked = new_end(&us);
    connect_to(&us, &asked, asking.qp->qp_num, ALL);
    connect_to(&us, &asking, asked.qp->qp_num, 0);
    for (size_t part = 0; part < 4; part++) {
        unsigned char *to = all + (part + 1) * (bytes / 4) - MESSAGE;
        struct ibv_sge piece = { .addr = (uintptr_t)all, .length = MESSAGE, .lkey = mr->lkey };
        struct ibv_send_wr *bad, wr = { .sg_list = &piece, .num_sge = 1, .opcode = IBV_WR_RDMA_WRITE,
            .wr.rdma = { .remote_addr = (uintptr_t)to, .rkey = mr->rkey } };
        memset(all, 3 + part, MESSAGE);
        if (ibv_post_send(asking.qp, &wr, &bad))
            fail("ibv_post_send");
        const char *end = outcome(&asking);
        printf("RESULT part-%zu %s, %s\n", part, end, is_only(to, MESSAGE, 3 + part) && to[-1] == 0 ? "there" : "not there");
    }
    drop(&asking);
    drop(&asked);
    if (ibv_dereg_mr(mr))
        fail("ibv_dereg_mr");
}

int main(int count, char **words)
{
    if (count < 2) {
        fprintf(stderr, "verbs-tenant keys | kinds | large MEBIBYTES\n");
        return 2;
    }
    us = open_tenant();
    others = open_tenant();
    if (strcmp(words[1], "keys") == 0)
        keys();
    else if (strcmp(words[1], "kinds") == 0)
        kinds();
    else if (count == 3)
        large((size_t)atoi(words[2]) << 20);
    return 0;
}
