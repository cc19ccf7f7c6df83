/**
 * The part of two Pulumi tools that a program of Landform may need: field names and types of the Kubernetes operator's `Stack` (pulumi.com/v1, its
 * definition of 2026-08) and of a stack's deployment settings (Pulumi 3.245).
 */
const text = { type: "string" } as const;
const flag = { type: "boolean" } as const;
const object = { type: "object" } as const;
const texts = { type: "array", items: text } as const;

const only = (properties: Record<string, object>, required: readonly string[] = []) => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});

const all = (names: string, type: object): Record<string, object> =>
  Object.fromEntries(names.split(" ").map((name) => [name, type]));

const resource = {
  ...only(
    {
      type: { enum: ["Env", "FS", "Secret", "Literal"] },
      env: only({ name: text }, ["name"]),
      filesystem: only({ path: text }, ["path"]),
      literal: only({ value: text }, ["value"]),
      secret: only({ name: text, key: text, namespace: text }, ["name", "key"]),
    },
    ["type"],
  ),
  allOf: [
    { if: { properties: { type: { const: "Literal" } } }, then: { required: ["literal"] } },
    { if: { properties: { type: { const: "Secret" } } }, then: { required: ["secret"] } },
  ],
};

const workspace = only({
  ...all("image imagePullPolicy serviceAccountName", text),
  ...all("flux git local podTemplate resources serviceTemplate", object),
  ...all("env envFrom stacks", { type: "array" }),
  securityProfile: { enum: ["baseline", "restricted"] },
});

export const stackObject = only(
  {
    apiVersion: { const: "pulumi.com/v1" },
    kind: { const: "Stack" },
    metadata: { ...object, required: ["name"] },
    spec: only(
      {
        ...all("accessTokenSecret backend branch commit gitAuthSecret projectRepo repoDir secretsProvider stack", text),
        ...all("serviceAccountName workspaceReclaimPolicy", text),
        ...all("continueResyncOnCommitMatch destroyOnFinalize expectNoRefreshChanges preview refresh", flag),
        ...all("retryOnUpdateConflict runProgram shallow targetDependents useLocalStackOnly", flag),
        ...all("configRef fluxSource programRef secrets secretsRef updateTemplate config", object),
        ...all("envSecrets environment envs prerequisites targets", { type: "array" }),
        ...all("resyncFrequencySeconds retryMaxBackoffDurationSeconds", { type: "integer", minimum: 60 }),
        envRefs: { type: "object", additionalProperties: resource },
        gitAuth: only({ accessToken: resource, sshAuth: object, basicAuth: object }),
        workspaceTemplate: only({ metadata: object, spec: workspace }),
      },
      ["stack"],
    ),
  },
  ["apiVersion", "kind", "metadata", "spec"],
);

const secretOrText = { anyOf: [text, only({ secret: text }, ["secret"]), only({ ciphertext: text }, ["ciphertext"])] };

const options = all(
  "skipInstallDependencies skipIntermediateDeployments deleteAfterDestroy remediateIfDriftDetected",
  flag,
);

export const deploymentSettings = only(
  {
    settings: only({
      ...all("tag agentPoolID", text),
      executorContext: object,
      sourceContext: only({ git: only({ ...all("repoUrl branch repoDir commit", text), gitAuth: object }) }),
      gitHub: only(
        {
          ...all("pullRequestTemplate deployCommits previewPullRequests", flag),
          repository: text,
          paths: texts,
          deployPullRequest: { type: "integer" },
        },
        ["repository"],
      ),
      operationContext: only({
        oidc: object,
        preRunCommands: texts,
        environmentVariables: { type: "object", additionalProperties: secretOrText },
        options: only({ ...options, shell: text }),
      }),
    }),
  },
  ["settings"],
);
