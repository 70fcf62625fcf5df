package dev.waybill.inbox;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;

/** Transactions of another manager keep the promises of the consumer's own: the same tests once more. */
class InForeignTransactionsTest {
    @Nested
    class ReceiverTurn extends ReceiverTurnTest {
        @BeforeEach
        void hand_the_transactions_over() {
            inbox.useForeignTransactions();
        }

        /** Savepoints are the manager's; see {@link TransactionBoundaryTest}. */
        @Override
        void a_nested_transaction_of_the_handler_is_a_savepoint_of_the_inboxs() {}
    }

    @Nested
    class MessageSequence extends MessageSequenceTest {
        @BeforeEach
        void hand_the_transactions_over() {
            inbox.useForeignTransactions();
        }

        /** Round trips are not shared, so that each completion is sent at once. */
        @Override
        void every_message_has_its_own_transaction_and_the_broker_hears_nothing_while_one_is_open() {}

        /** As above. */
        @Override
        void slow_handlers_keep_no_completion_waiting() {}
    }

    @Nested
    class Batch extends BatchTest {
        @BeforeEach
        void hand_the_transactions_over() {
            inbox.useForeignTransactions();
        }
    }

    @Nested
    class PlantedBug extends PlantedBugTest {
        @BeforeEach
        void hand_the_transactions_over() {
            inbox.useForeignTransactions();
        }
    }

    @Nested
    class HoldTurn extends HoldTurnTest {
        @BeforeEach
        void hand_the_transactions_over() {
            inbox.useForeignTransactions();
        }
    }

    @Nested
    class HeldDeferral extends HeldDeferralTest {
        @BeforeEach
        void hand_the_transactions_over() {
            inbox.useForeignTransactions();
        }

        /** It counts connections, and there is one more for the proof. */
        @Override
        void a_process_that_dies_before_it_looks_for_a_resume_leaves_a_message_that_is_handled_again_soon() {}
    }

    @Nested
    class Resumption extends ResumptionTest {
        @BeforeEach
        void hand_the_transactions_over() {
            inbox.useForeignTransactions();
        }
    }

    @Nested
    class ResumeOrder extends ResumeOrderTest {
        @BeforeEach
        void hand_the_transactions_over() {
            inbox.useForeignTransactions();
        }
    }

    @Nested
    class StaleOwner extends StaleOwnerTest {
        @BeforeEach
        void hand_the_transactions_over() {
            inbox.useForeignTransactions();
        }
    }

    @Nested
    class StaleDeferral extends StaleDeferralTest {
        @BeforeEach
        void hand_the_transactions_over() {
            inbox.useForeignTransactions();
        }
    }

    @Nested
    class SessionLock extends SessionLockTest {
        @BeforeEach
        void hand_the_transactions_over() {
            inbox.useForeignTransactions();
        }

        /** How a manager puts its connections back is its own affair. */
        @Override
        void a_connection_that_fails_after_the_commit_costs_the_message_nothing_and_is_not_kept() {}
    }

    @Nested
    class HandlersTransaction extends HandlersTransactionTest {
        @BeforeEach
        void hand_the_transactions_over() {
            inbox.useForeignTransactions();
        }

        /** They are the manager's; see {@link TransactionBoundaryTest}. */
        @Override
        void savepoints_are_the_handlers_own() {}
    }

    @Nested
    class FailingHook extends FailingHookTest {
        @BeforeEach
        void hand_the_transactions_over() {
            inbox.useForeignTransactions();
        }
    }

    @Nested
    class DatabaseOutage extends DatabaseOutageTest {
        @BeforeEach
        void hand_the_transactions_over() {
            inbox.useForeignTransactions();
        }
    }

    @Nested
    class Unstorable extends UnstorableTest {
        @BeforeEach
        void hand_the_transactions_over() {
            inbox.useForeignTransactions();
        }
    }
}
