package dev.waybill.servicebus.embedded.filter;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A filter written in the SQL dialect of subscription rules; the package describes the grammar. */
public final class SqlFilter implements RuleFilter {

    private final String expression;
    private final Parameters parameters;
    private final Condition condition;

    private SqlFilter(String expression, Parameters parameters, Condition condition) {
        this.expression = expression;
        this.parameters = parameters;
        this.condition = condition;
    }

    /** A filter without parameters. */
    public static SqlFilter parse(String expression) {
        return parse(expression, Map.of());
    }

    /**
     * A filter whose {@code @name} parameters take their values from the map, with or without the at sign, in any case.
     *
     * @throws FilterSyntaxException when the expression is not valid or names a parameter that the map lacks
     */
    public static SqlFilter parse(String expression, Map<String, ? extends @Nullable Object> parameters) {
        Parameters values = new Parameters(parameters);
        TokenStream tokens = new TokenStream(Lexer.scan(expression));
        return new SqlFilter(expression, values, new ConditionParser(tokens, values).parse());
    }

    @Override
    public boolean matches(FilterableMessage message) {
        return condition.test(message) == Truth.TRUE;
    }

    /** The text this filter was parsed from. */
    public String expression() {
        return expression;
    }

    /** The parameters as given to {@link #parse}. */
    public Map<String, @Nullable Object> parameters() {
        return parameters.given();
    }

    @Override
    public String toString() {
        return expression;
    }
}
