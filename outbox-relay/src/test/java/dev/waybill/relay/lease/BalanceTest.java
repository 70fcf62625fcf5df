package dev.waybill.relay.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.relay.lease.Members.Destination;
import dev.waybill.relay.lease.Members.Relay;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BalanceTest {
    private static final UUID A = new UUID(0, 1);
    private static final UUID B = new UUID(0, 2);
    private static final Duration LONG = Duration.ofDays(1);

    @Test
    void what_nobody_else_serves_is_never_surplus() {
        var members = new Members(
                List.of(relay(A, 4, "a", "b", "c", "d"), relay(B, 0, "a")),
                List.of(owned("a", A), owned("b", A), owned("c", A), owned("d", A)));

        assertThat(Balance.of(members, A, Set.of("a", "b", "c", "d")).surplus()).containsExactly("a");
    }

    @Test
    void a_difference_of_one_moves_nothing() {
        var members = new Members(
                List.of(relay(A, 2, "a", "b", "c"), relay(B, 1, "a", "b", "c")),
                List.of(owned("a", A), owned("b", A), owned("c", B)));

        assertThat(Balance.of(members, A, Set.of("a", "b")).surplus()).isEmpty();
    }

    @Test
    void what_is_free_goes_to_the_smaller_share_and_after_a_grace_to_anybody() {
        var relays = List.of(relay(A, 3, "a"), relay(B, 1, "a"));

        var fresh = new Members(relays, List.of(free("a", Duration.ofMillis(400))));
        assertThat(Balance.of(fresh, B, Set.of()).claims()).containsExactly("a");
        assertThat(Balance.of(fresh, A, Set.of()).claims()).isEmpty();

        var left = new Members(relays, List.of(free("a", Duration.ofMillis(500))));
        assertThat(Balance.of(left, A, Set.of()).claims()).containsExactly("a");
    }

    @Test
    void two_that_read_the_same_claim_different_destinations() {
        Duration fresh = Duration.ofMillis(1);
        var members = new Members(
                List.of(relay(A, 0, "a", "b", "c"), relay(B, 0, "a", "b", "c")),
                List.of(free("a", fresh), free("b", fresh), free("c", fresh)));

        assertThat(Balance.of(members, A, Set.of()).claims()).containsExactly("a", "c");
        assertThat(Balance.of(members, B, Set.of()).claims()).containsExactly("b");
    }

    @Test
    void a_claim_whose_outcome_was_not_learned_is_claimed_again() {
        var members = new Members(List.of(relay(A, 1, "a")), List.of(owned("a", A)));

        assertThat(Balance.of(members, A, Set.of()).claims()).containsExactly("a");
        assertThat(Balance.of(members, A, Set.of("a")).claims()).isEmpty();
    }

    @Test
    void what_moves_is_claimed_by_nobody_and_withheld_from_its_owner() {
        var members = new Members(
                List.of(relay(A, 1, "a", "b"), relay(B, 0, "b")),
                List.of(
                        new Destination("a", Optional.of(A), Duration.ZERO, true, Optional.empty()),
                        new Destination("b", Optional.empty(), LONG, true, Optional.empty())));

        assertThat(Balance.of(members, B, Set.of()).claims()).isEmpty();
        assertThat(Balance.withheld(members, A)).containsExactly("a");
    }

    @Test
    void what_has_moved_is_for_relays_that_follow() {
        var moved = new Destination("a", Optional.empty(), LONG, false, Optional.of("a-2"));
        var stays = new Relay(A, Set.of("a"), false, 1);
        var members = new Members(List.of(stays, relay(B, 5, "a")), List.of(moved));

        assertThat(Balance.of(members, A, Set.of()).claims()).isEmpty();
        assertThat(Balance.of(members, B, Set.of()).claims()).containsExactly("a");
    }

    @Test
    void a_relay_that_is_not_alive_decides_nothing() {
        var members = new Members(List.of(), List.of(free("a", LONG)));

        assertThat(Balance.of(members, A, Set.of()).claims()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void relays_that_come_and_go_share_all_that_is_served_and_come_to_rest(long seed) {
        var crowd = new Crowd(seed);
        for (int round = 0; round < 10; round++) {
            crowd.change();
            crowd.live(Duration.ofMinutes(2));
            int moves = crowd.moves();

            crowd.live(Duration.ofMinutes(1));

            assertThat(crowd.moves()).as("moves at rest").isEqualTo(moves);
            crowd.check();
        }
    }

    private static Relay relay(UUID id, int owned, String... serving) {
        return new Relay(id, Set.copyOf(Arrays.asList(serving)), true, owned);
    }

    private static Destination owned(String name, UUID owner) {
        return new Destination(name, Optional.of(owner), Duration.ZERO, false, Optional.empty());
    }

    private static Destination free(String name, Duration since) {
        return new Destination(name, Optional.empty(), since, false, Optional.empty());
    }
}
