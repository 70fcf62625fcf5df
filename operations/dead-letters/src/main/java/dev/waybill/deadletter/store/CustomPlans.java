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

/** Lets PostgreSQL plan each statement anew: a plan from a time without dead letters joins 100,000 each with each. */
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

    public static PreparedStatement of(PreparedStatement statement) throws SQLException {
        if (statement.isWrapperFor(PGStatement.class)) {
            statement.unwrap(PGStatement.class).setPrepareThreshold(0);
        }
        return statement;
    }
}
