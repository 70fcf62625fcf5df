package dev.waybill.servicebus.embedded.filter;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The SET and REMOVE statements of a rule, which edit the copy of a message that the rule selects. */
public final class SqlAction {

    private final String expression;
    private final Parameters parameters;
    private final List<Statement> statements;

    private SqlAction(String expression, Parameters parameters, List<Statement> statements) {
        this.expression = expression;
        this.parameters = parameters;
        this.statements = statements;
    }

    /** An action without parameters. */
    public static SqlAction parse(String expression) {
        return parse(expression, Map.of());
    }

    /**
     * An action whose {@code @name} parameters take their values from the map, with or without the at sign, in any case.
     *
     * @throws FilterSyntaxException when the expression is not valid, names a parameter that the map lacks, or edits a
     *     system property that is read-only
     */
    public static SqlAction parse(String expression, Map<String, ? extends @Nullable Object> parameters) {
        Parameters values = new Parameters(parameters);
        TokenStream tokens = new TokenStream(Lexer.scan(expression));
        return new SqlAction(expression, values, new ActionParser(tokens, values).parse());
    }

    /**
     * The message's properties after all statements, each of which sees what those before it did.
     *
     * @throws FilterEvaluationException when a statement fails; the message is unchanged then, as always
     */
    public EditedProperties apply(FilterableMessage message) {
        EditedProperties properties = new EditedProperties(message);
        for (Statement statement : statements) {
            statement.edit(properties);
        }
        return properties;
    }

    /** The text this action was parsed from. */
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
