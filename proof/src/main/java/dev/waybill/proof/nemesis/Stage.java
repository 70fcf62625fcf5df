package dev.waybill.proof.nemesis;

import dev.waybill.proof.cast.Cast;
import dev.waybill.proof.cast.Member;
import dev.waybill.proof.database.ServerPair;
import dev.waybill.proof.database.Servers;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/** What nemeses may touch. Thread-safe. */
public final class Stage {
    private final Cast cast;
    private final Servers servers;
    private final CountDownLatch calm = new CountDownLatch(1);
    private final ReentrantLock database = new ReentrantLock();
    private final ReentrantLock namespace = new ReentrantLock();
    private final AtomicInteger promotionsWithLoss = new AtomicInteger();
    private final Runnable namespaceLost;

    /**
     * A stage.
     *
     * @param namespaceLost hears of each new namespace
     */
    public Stage(Cast cast, Servers servers, Runnable namespaceLost) {
        this.cast = cast;
        this.servers = servers;
        this.namespaceLost = namespaceLost;
    }

    public Cast cast() {
        return cast;
    }

    /** The harness's own database; for nemeses that need one. */
    ServerPair pair() {
        return (ServerPair) servers;
    }

    public Servers servers() {
        return servers;
    }

    /** Held by a nemesis that stops or replaces the database: one at a time. */
    ReentrantLock database() {
        return database;
    }

    /** Held by a nemesis that stops or replaces the broker: one at a time. */
    ReentrantLock namespace() {
        return namespace;
    }

    /** A member that lives, of a role; any role if none is given. */
    Member any(SplittableRandom random, String... roles) {
        List<Member> candidates = cast.members().stream()
                .filter(member -> roles.length == 0 || List.of(roles).contains(member.role()))
                .filter(Member::isAlive)
                .toList();
        return candidates.isEmpty()
                ? cast.members().get(random.nextInt(cast.members().size()))
                : candidates.get(random.nextInt(candidates.size()));
    }

    /** Lets a trouble last, or less if the run calms down. */
    void last(Duration duration) throws InterruptedException {
        boolean unused = calm.await(duration.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Ends each trouble, and begins none. */
    public void calmDown() {
        calm.countDown();
    }

    public boolean isCalm() {
        return calm.getCount() == 0;
    }

    void lost() {
        promotionsWithLoss.incrementAndGet();
    }

    void namespaceIsNew() {
        namespaceLost.run();
    }

    /** How many promotions lost committed transactions. */
    public int promotionsWithLoss() {
        return promotionsWithLoss.get();
    }
}
