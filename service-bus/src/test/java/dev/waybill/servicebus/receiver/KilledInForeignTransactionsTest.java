package dev.waybill.servicebus.receiver;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;

/**
 * Processes that die, sessions and deferrals, with transactions of another manager than the consumer: the same
 * tests in short.
 */
class KilledInForeignTransactionsTest {
    @Nested
    class KilledConsumers extends KilledConsumersTest {
        @Override
        int sessions() {
            return 20;
        }

        @Override
        int kills() {
            return 1;
        }

        @Override
        int processes() {
            return 1;
        }

        @Override
        int starts() {
            return 1;
        }

        @Override
        boolean managed() {
            return true;
        }
    }

    @Nested
    class KilledBatches extends KilledBatchesTest {
        @Override
        int sessions() {
            return 10;
        }

        @Override
        int kills() {
            return 1;
        }

        @Override
        boolean managed() {
            return true;
        }
    }

    @Nested
    class Deferral extends DeferralTest {
        @BeforeEach
        void hand_the_transactions_over() {
            it.useForeignTransactions();
        }
    }

    @Nested
    class CompetingHandlers extends CompetingHandlersTest {
        @BeforeEach
        void hand_the_transactions_over() {
            it.useForeignTransactions();
        }
    }
}
