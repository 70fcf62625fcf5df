package dev.waybill.deadletter.store;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.jooq.DSLContext;
import org.jooq.ExecuteContext;
import org.jooq.ExecuteListener;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGStatement;

/**
 * Lets the server plan each statement for the tables as they are now. A plan that it keeps from quiet days, when there was no
 * dead letter, joins the first hundred thousand of them each with each.
 */
public final class CustomPlans implements ExecuteListener {
    private static final long serialVersionUID = 1L;

    private CustomPlans() {}

    public static DSLContext in(DSLContext dsl) {
        return DSL.using(dsl.configuration().deriveAppending(new CustomPlans()));
    }

    @Override
    public void prepareEnd(ExecuteContext context) {
        @Nullable PreparedStatement statement = context.statement();
        try {
            if (statement != null) {
                of(statement);
            }
        } catch (SQLException e) {
            throw new DataAccessException("The statement cannot be planned each time", e);
        }
    }

    /** The same for a statement of the driver's. */
    public static PreparedStatement of(PreparedStatement statement) throws SQLException {
        if (statement.isWrapperFor(PGStatement.class)) {
            statement.unwrap(PGStatement.class).setPrepareThreshold(0);
        }
        return statement;
    }
}
