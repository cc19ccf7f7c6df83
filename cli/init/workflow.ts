/** The workflow that a new project starts with. */

export function workflow(name: string): string {
  return `# The plan of each pull request as one comment, and after the merge what was reviewed, or nothing.
# Settings of the repository: the variables LANDFORM_BASE_URL, PULUMI_BACKEND_URL (where the state is, so that it outlives the job)
# and LANDFORM_PLANS (a bucket for plans between review and merge, as s3://BUCKET/PREFIX); the secrets LANDFORM_API_KEY and
# PULUMI_CONFIG_PASSPHRASE. Nightly drift, and GitLab: examples/gitops of the package;
# a preview for each pull request: examples/preview-per-branch.
name: ${name}
on:
  pull_request:
  push:
    branches: [main]
concurrency:
  group: landform-\${{ github.event.pull_request.number || 'apply' }}
  cancel-in-progress: \${{ github.event_name == 'pull_request' }}
permissions:
  contents: read
  pull-requests: write
  checks: write
  deployments: write
jobs:
  landform:
    # A fork gets no secrets, so there is nothing to plan with.
    if: github.event_name == 'push' || github.event.pull_request.head.repo.full_name == github.repository
    runs-on: ubuntu-latest
    timeout-minutes: 60
    env:
      LANDFORM_BASE_URL: \${{ vars.LANDFORM_BASE_URL }}
      LANDFORM_API_KEY: \${{ secrets.LANDFORM_API_KEY }}
      LANDFORM_PLANS: \${{ vars.LANDFORM_PLANS }}
      PULUMI_BACKEND_URL: \${{ vars.PULUMI_BACKEND_URL }}
      PULUMI_CONFIG_PASSPHRASE: \${{ secrets.PULUMI_CONFIG_PASSPHRASE }}
      GITHUB_TOKEN: \${{ github.token }}
    steps:
      - uses: actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5.0.0
        with: { persist-credentials: false }
      - uses: actions/setup-node@a0853c24544627f65ddf259abe73b1d18a591444 # v5.0.0
        with: { node-version: 24 }
      - uses: pulumi/actions@8582a9e8cc630786854029b4e09281acd6794b58 # v6.6.1
      - run: npm install
      - if: github.event_name == 'pull_request'
        run: npx landform ci plan --engine pulumi --plans "$LANDFORM_PLANS"
      - if: github.event_name == 'push'
        run: npx landform ci apply --engine pulumi --plans "$LANDFORM_PLANS"
`;
}
